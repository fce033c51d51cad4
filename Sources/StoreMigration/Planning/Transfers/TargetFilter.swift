import ManagedObjectModels
import MappingModels
import PersistentStores
import SQLiteAccess

/// The objects at one end of a source relationship that are allowed in the new model, and their new entity numbers.
struct TargetFilter {
    /// For the kept entities, the entity number in the source and the number in the destination store.
    let numbers: [(old: Int, new: Int)]

    /// Whether some objects at this end are not allowed in the new model.
    let dropsSome: Bool

    /// The source table of the objects.
    let table: EntityTable?

    /// The entity numbers of objects that are kept but no longer allowed at this end, so that their links would be
    /// lost.
    let narrowed: [Int]

    /// - Parameters:
    ///   - candidates: the slots of the source entities whose links are used.
    ///   - end: the slot of the source entity at this end of the relationship.
    ///   - newEnd: the slot of the destination entity at this end of the new relationship.
    init(_ builder: TransferBuilder, of candidates: some Sequence<Int>, in end: Int, for newEnd: Int) {
        var numbers: [(old: Int, new: Int)] = []
        var narrowed: [Int] = []
        var dropsSome = false
        let candidates = Set(candidates)
        for slot in builder.sourceModel.entities[end].subtree {
            let number = builder.source.entityNumbers[slot]
            let target = candidates.contains(slot) ? builder.correspondence.destinationSlot[slot] : nil
            if let target, builder.destinationModel.isKind(target, of: newEnd) {
                numbers.append((number, builder.destination.entityNumbers[target]))
                continue
            }
            if target != nil { narrowed.append(number) }
            dropsSome = dropsSome || !builder.sourceModel.entities[slot].isAbstract
        }
        self.numbers = numbers
        self.dropsSome = dropsSome
        self.narrowed = narrowed
        table = builder.source.table(ofEntity: end)
    }

    /// Creates a filter of all objects at an end.
    init(_ builder: TransferBuilder, ofAll end: Int, for newEnd: Int) {
        self.init(builder, of: builder.sourceModel.entities[end].subtree, in: end, for: newEnd)
    }

    /// Returns the condition that the object with a key is allowed; nil if all are.
    func condition(_ builder: TransferBuilder, key: String) -> String? {
        dropsSome ? table.map { builder.existence(of: key, in: $0, numbers: numbers.map(\.old)) } : nil
    }

    /// Returns SQL for the entity number of an object, given its key and a column that may contain the number.
    private func entityNumber(_ builder: TransferBuilder, key: String, column: String?) -> String {
        let lookup = table.map {
            "(SELECT t.Z_ENT FROM \(builder.naming.name($0.name)) t WHERE t.Z_PK = \(key))"
        }
        switch (column, lookup) {
        case (let column?, let lookup?): return "ifnull(\(column), \(lookup))"
        case (let column?, nil): return column
        case (nil, let lookup?): return lookup
        case (nil, nil): return "NULL"
        }
    }

    /// Returns the key if its object is kept, otherwise NULL.
    func keptKey(_ builder: TransferBuilder, key: String, column: String?) -> ColumnExpression {
        if numbers.isEmpty { return .null }
        let list = numbers.map { String($0.old) }.joined(separator: ", ")
        let number = entityNumber(builder, key: key, column: column.map { "s." + SQLiteIdentifier.bare($0) })
        return .lookup("CASE WHEN \(number) IN (\(list)) THEN \(key) END")
    }

    /// Returns the number of the object's entity in the new store.
    func newNumber(_ builder: TransferBuilder, key: String, column: String?) -> ColumnExpression {
        let qualified = column.map { "s." + SQLiteIdentifier.bare($0) }
        guard let first = numbers.first else { return .null }
        if let column, !dropsSome, numbers.allSatisfy({ $0.old == $0.new }) { return .column(column) }
        if numbers.count == 1 && !dropsSome {
            return .row("CASE WHEN \(key) IS NOT NULL THEN \(first.new) END", base: column)
        }
        let number = entityNumber(builder, key: key, column: qualified)
        let cases = numbers.map { "WHEN \($0.old) THEN \($0.new)" }.joined(separator: " ")
        return .lookup("CASE WHEN \(key) IS NOT NULL THEN CASE \(number) \(cases) END END")
    }
}
