import ManagedObjectModels
import PersistentStores

/// The attributes that make objects unique under uniqueness constraints.
struct UniquenessPlan: Sendable {
    /// How an attribute's values are chosen.
    struct Role: Sendable {
        /// The entities whose objects the constraint applies to.
        let slots: Range<Int>
        /// The value's number is the object's number divided by this...
        let divisor: Int
        /// ...modulo this.
        let capacity: Int
    }

    private(set) var roles: [PropertyKey: Role] = [:]
    /// To-one relationships that must lead to each object at most once.
    private(set) var uniqueToOnes: Set<PropertyKey> = []
    /// The numbers of objects that the constraints allow.
    private(set) var caps: [(slots: Range<Int>, count: Int, reason: String)] = []

    private let model: ResolvedModel

    /// - Parameter capacity: returns the number of different values of an attribute; nil if it is always NULL.
    init(model: ResolvedModel, rows: Int, capacity: (PropertyKey) -> Int?) {
        self.model = model
        for entity in model.entities {
            for names in entity.description.uniquenessConstraints {
                add(names, of: entity, rows: rows, capacity: capacity)
            }
        }
    }

    private mutating func add(
        _ names: [String], of entity: ResolvedEntity, rows: Int, capacity: (PropertyKey) -> Int?
    ) {
        let attributes = names.compactMap { entity.attribute(named: $0) }.filter { $0.isStored && !$0.isDerived }
        let toOnes = names.compactMap { entity.relationship(named: $0) }.filter { !$0.isToMany && $0.isStored }
        // Values that are always NULL are never equal, and properties without a column are in no index.
        guard attributes.count + toOnes.count == names.count, !names.isEmpty,
            attributes.allSatisfy({ capacity($0.key) != nil })
        else { return }
        guard let deepest = (attributes.map(\.owner) + toOnes.map(\.owner)).max() else { return }
        let slots = model.entities[deepest].subtree
        let isKept = attributes.contains { attribute in
            roles[attribute.key].map { $0.divisor == 1 && contains($0.slots, slots) } ?? false
        }
        if isKept { return }
        let free = attributes.filter { roles[$0.key] == nil || isWidened(roles[$0.key], to: slots) }
        guard !free.isEmpty else {
            if let first = toOnes.first { uniqueToOnes.insert(first.key) }
            return
        }
        let reason = "the uniqueness constraint (\(names.joined(separator: ", "))) allows no more"
        let needed = rows.saturatingProduct(slots.filter { !model.entities[$0].isAbstract }.count)
        if let carrier = free.first(where: { capacity($0.key) ?? 0 >= needed }) {
            let most = capacity(carrier.key) ?? 0
            roles[carrier.key] = Role(slots: slots, divisor: 1, capacity: most)
            caps.append((slots, most, reason))
            return
        }
        // Several attributes together, like the digits of a number.
        var divisor = 1
        for attribute in free where roles[attribute.key] == nil {
            let most = max(1, capacity(attribute.key) ?? 1)
            roles[attribute.key] = Role(slots: slots, divisor: divisor, capacity: most)
            divisor = divisor.saturatingProduct(most)
        }
        caps.append((slots, divisor, reason))
    }

    private func contains(_ outer: Range<Int>, _ inner: Range<Int>) -> Bool { outer.clamped(to: inner) == inner }

    private func isWidened(_ role: Role?, to slots: Range<Int>) -> Bool {
        role.map { $0.divisor == 1 && contains(slots, $0.slots) } ?? false
    }
}
