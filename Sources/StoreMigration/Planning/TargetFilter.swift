import ManagedObjectModels
import MappingModels
import PersistentStores
import SQLiteAccess

/// Which destinations of a source relationship are still destinations in the new model, and what their numbers become.
struct TargetFilter {
    /// Entity numbers in the source with the number in the destination store, for the kept ones.
    let numbers: [(old: Int, new: Int)]

    /// Whether some destinations of the relationship have no place in the new one.
    let dropsSome: Bool

    /// The source table of the destinations.
    let table: EntityTable?

    /// Entity numbers of objects that are kept but are no destinations any more: their links would be lost.
    let narrowed: [Int]

    /// - Parameters:
    ///   - sourceDestination: the slot of the relationship's destination in the source.
    ///   - newDestination: the slot of the new relationship's destination.
    init(_ builder: TransferBuilder, sourceDestination: Int, newDestination: Int) {
        var numbers: [(old: Int, new: Int)] = []
        var narrowed: [Int] = []
        var dropsSome = false
        for slot in builder.sourceModel.entities[sourceDestination].subtree {
            let number = builder.source.entityNumbers[slot]
            guard let target = builder.correspondence.destinationSlot[slot] else {
                dropsSome = dropsSome || !builder.sourceModel.entities[slot].isAbstract
                continue
            }
            if builder.destinationModel.isKind(target, of: newDestination) {
                numbers.append((number, builder.destination.entityNumbers[target]))
            } else {
                dropsSome = dropsSome || !builder.sourceModel.entities[slot].isAbstract
                narrowed.append(number)
            }
        }
        self.numbers = numbers
        self.dropsSome = dropsSome
        self.narrowed = narrowed
        table = builder.source.table(ofEntity: sourceDestination)
    }

    /// The entity number of the destination, given its key and the column that may already hold the number.
    func entityNumber(_ builder: TransferBuilder, key: String, column: String?) -> String {
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

    /// The key where its object is kept, else NULL.
    func keptKey(_ builder: TransferBuilder, key: String, column: String?) -> ColumnExpression {
        if numbers.isEmpty { return .null }
        let list = numbers.map { String($0.old) }.joined(separator: ", ")
        let number = entityNumber(builder, key: key, column: column.map { "s." + SQLiteIdentifier.bare($0) })
        return .lookup("CASE WHEN \(number) IN (\(list)) THEN \(key) END")
    }

    /// The number that the destination's entity has in the new store.
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
