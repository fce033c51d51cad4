import SQLiteAccess

/// A `SELECT` of the key, the entity number, the version, and some or all columns.
struct TableSelection {
    /// The unquoted columns.
    let names: [String]
    let text: String
    /// The target of each column from the fourth on.
    let targets: [Target]
    let columns: ReadColumns

    struct Target {
        /// The position in a complete row.
        let position: Int
        let isEntityNumber: Bool
        /// The place among the columns that are read.
        let place: Int
    }
}

extension BlockRows {
    /// Copies a statement's row, whose columns are those of a selection.
    ///
    /// - Parameter slots: the slots of entities by their numbers.
    mutating func copy(_ row: Int, _ statement: Statement, _ selection: TableSelection, _ slots: EntitySlots) {
        let start = row * columns.count
        put(.integer(statement.integer(2)), at: start)
        var column: Int32 = 3
        for target in selection.targets {
            if target.isEntityNumber {
                let slot = statement.isNull(column) ? nil : slots[statement.integer(column)]
                put(slot.map { .integer(Int64($0)) } ?? .null, at: start + target.place)
            } else {
                put(value(of: statement, column), at: start + target.place)
            }
            column += 1
        }
    }
}
