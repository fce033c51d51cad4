import ManagedObjectModels
import PersistentStores

/// Finds the stored relationships of a model, each once together with its inverse.
struct LinkRules {
    private(set) var rules: [LinkRule] = []
    /// The reasons why entities get no objects, by slot.
    private(set) var refused: [Int: String] = [:]
    /// Relationships without links, since their links would have no counterpart in the inverse: `Entity.relationship`.
    private(set) var unlinked: [String] = []

    private let layout: StoreLayout
    private var model: ResolvedModel { layout.model }

    /// - Parameter unique: to-one relationships that lead to each object at most once.
    init(layout: StoreLayout, unique: Set<PropertyKey>) {
        self.layout = layout
        var done: Set<PropertyKey> = []
        for entity in layout.model.entities {
            for relationship in entity.declaredRelationships where relationship.isStored {
                switch relationship.storage {
                case .toOne:
                    if layout.column(.toOne(relationship.key)) != nil, done.insert(relationship.key).inserted {
                        add(toOne: relationship, isUnique: unique.contains(relationship.key), &done)
                    }
                case .unidirectional:
                    if layout.column(.unidirectional(relationship.key)) != nil { add(unidirectional: relationship) }
                case .inverseToOne, .joinTable: break
                }
            }
        }
        for table in layout.joinTables { add(table) }
    }

    /// Returns the inverse, if its own inverse is this relationship.
    private func partner(of relationship: ResolvedRelationship) -> ResolvedRelationship? {
        guard let partner = model.inverse(of: relationship), partner.isStored,
            partner.inverse?.key == relationship.key
        else { return nil }
        return partner
    }

    /// Returns whether a relationship's inverse has another relationship as its own inverse, so that links would lead
    /// in one direction only.
    private func isOneSided(_ relationship: ResolvedRelationship) -> Bool {
        guard let partner = model.inverse(of: relationship) else { return false }
        return partner.isStored && partner.inverse?.key != relationship.key
    }

    /// Leaves a relationship without links, and leaves out its objects if they require one.
    private mutating func leaveUnlinked(_ relationship: ResolvedRelationship) {
        unlinked.append(name(relationship))
        refuse(relationship, outside: 0..<0)
    }

    /// Returns the entities whose objects can have links: those that have the relationship and that the inverse leads
    /// to.
    private func slots(_ owner: Int, _ other: Int?) -> Range<Int> {
        let own = model.entities[owner].subtree
        return other.map { own.clamped(to: model.entities[$0].subtree) } ?? own
    }

    private func name(_ relationship: ResolvedRelationship) -> String {
        "\(model.entities[relationship.owner].name).\(relationship.name)"
    }

    private mutating func refuse(_ relationship: ResolvedRelationship, outside slots: Range<Int>) {
        guard !relationship.isOptional else { return }
        for slot in model.entities[relationship.owner].subtree
        where !slots.contains(slot) && !model.entities[slot].isAbstract {
            refused[slot] = "its required relationship \(relationship.name) leads to nothing whose inverse leads back"
        }
    }

    private mutating func add(
        toOne relationship: ResolvedRelationship, isUnique: Bool, _ done: inout Set<PropertyKey>
    ) {
        guard !isOneSided(relationship) else { return leaveUnlinked(relationship) }
        let partner = partner(of: relationship)
        let first = slots(relationship.owner, partner?.destination)
        let second = slots(relationship.destination, partner?.owner)
        refuse(relationship, outside: first)
        let end: RelationshipSide
        var kind = LinkRule.Kind.toOne
        if let partner {
            refuse(partner, outside: second)
            end = RelationshipSide(partner, slots: second, isUnique: isUnique)
            if !partner.isToMany {
                kind = .oneToOne
                done.insert(partner.key)
            }
        } else {
            end = RelationshipSide(slots: second, maximum: isUnique ? 1 : nil)
        }
        rules.append(
            LinkRule(
                kind: kind, name: name(partner.map { $0.isToMany ? $0 : relationship } ?? relationship),
                first: RelationshipSide(relationship, slots: first), second: end, key: relationship.key,
                inverseKey: kind == .oneToOne ? partner?.key : nil))
    }

    private mutating func add(unidirectional relationship: ResolvedRelationship) {
        rules.append(
            LinkRule(
                kind: .toOne, name: name(relationship),
                first: RelationshipSide(slots: slots(relationship.destination, nil)),
                second: RelationshipSide(relationship, slots: slots(relationship.owner, nil)), key: relationship.key,
                inverseKey: nil, isUnidirectional: true))
    }

    private mutating func add(_ table: JoinTable) {
        guard let relationship = model.relationship(table.relationship),
            let inverse = model.relationship(table.inverse)
        else { return }
        guard !isOneSided(relationship) else { return leaveUnlinked(relationship) }
        let first = slots(relationship.owner, inverse.destination)
        let second = slots(relationship.destination, inverse.owner)
        refuse(relationship, outside: first)
        refuse(inverse, outside: second)
        rules.append(
            LinkRule(
                kind: table.isSelfInverse ? .reflexive : .manyToMany, name: name(relationship),
                first: RelationshipSide(relationship, slots: first), second: RelationshipSide(inverse, slots: second),
                key: relationship.key, inverseKey: inverse.key))
    }
}
