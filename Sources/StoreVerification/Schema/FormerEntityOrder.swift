import ManagedObjectModels
import PersistentStores

/// The entity numbers that earlier versions of Ferry assigned: siblings in code-point order, whereas Core Data ignores
/// case (docs/format/sqlite-store.md#entity-numbers).
///
/// Rows, `Z<n>_` columns and join tables are found by the numbers in the store, and other checks report disagreements:
/// a store that uses this order consistently is read correctly.
struct FormerEntityOrder {
    private let model: ResolvedModel
    /// The numbers, by slot.
    private let numbers: [Int]

    init(of model: ResolvedModel) {
        self.model = model
        var children: [Int: [Int]] = [:]
        for entity in model.entities {
            if let parent = entity.superentity { children[parent, default: []].append(entity.slot) }
        }
        func inOrder(_ slots: [Int]) -> [Int] {
            // UTF-8 bytes sort in the order of code points.
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

    /// Returns whether `Z_PRIMARYKEY` has each entity once, with its number and superentity in this order.
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
