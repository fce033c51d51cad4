import ManagedObjectModels
import PersistentStores

/// The entity numbers that earlier versions of Ferry gave: siblings in code-point order, where Core Data does not regard
/// case (docs/format/sqlite-store.md#entity-numbers).
///
/// Rows, `Z<n>_` columns and join tables are looked up by the numbers that the store has, and other checks say if they
/// do not agree with those: a store that keeps this order throughout is read as it should be.
struct FormerEntityOrder {
    private let model: ResolvedModel
    /// By slot.
    private let numbers: [Int]

    init(of model: ResolvedModel) {
        self.model = model
        var children: [Int: [Int]] = [:]
        for entity in model.entities {
            if let parent = entity.superentity { children[parent, default: []].append(entity.slot) }
        }
        func inOrder(_ slots: [Int]) -> [Int] {
            // Bytes of UTF-8 have the order of code points.
            slots.sorted { model.entities[$0].name.utf8.lexicographicallyPrecedes(model.entities[$1].name.utf8) }
        }
        var numbers = [Int](repeating: 0, count: model.entities.count)
        var waiting = Array(inOrder(model.rootSlots).reversed())
        var next = 1
        while let slot = waiting.popLast() {
            numbers[slot] = next
            next += 1
            waiting += inOrder(children[slot] ?? []).reversed()
        }
        self.numbers = numbers
    }

    /// Whether `Z_PRIMARYKEY` has each entity once, with its number and its parent in this order.
    func isKept(by records: [EntityRecord]) -> Bool {
        guard records.count == model.entities.count else { return false }
        let byName = Dictionary(records.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        return model.entities.allSatisfy { entity in
            guard let record = byName[entity.name] else { return false }
            return record.number == numbers[entity.slot]
                && record.superentityNumber == entity.superentity.map { numbers[$0] } ?? 0
        }
    }
}
