import SQLiteAccess

/// A `SELECT` of the key, the entity's number, the version, and some columns or all.
struct TableSelection {
    /// The columns, unquoted.
    let names: [String]
    let text: String
    /// Where each of the columns from the fourth on goes.
    let targets: [Target]
    let columns: ReadColumns

    struct Target {
        /// In a whole row.
        let position: Int
        let isEntityNumber: Bool
        /// Among the columns that are read.
        let place: Int
    }
}

extension BlockRows {
    /// Takes a statement's row, whose columns are those of a selection.
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
