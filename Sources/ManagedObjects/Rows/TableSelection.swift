import SQLiteAccess

/// A `SELECT` of the key, the entity's number, the version, and some columns or all.
struct TableSelection {
    /// The columns, unquoted.
    let names: [String]
    let text: String
    /// Where each of the columns from the fourth on goes, and whether it is an entity's number.
    let targets: [(position: Int, isEntityNumber: Bool)]
    let columns: ReadColumns
}

extension BlockRows {
    /// Takes a statement's row, whose columns are those of a selection.
    ///
    /// - Parameter slots: the slots of entities by their numbers.
    mutating func copy(_ row: Int, _ statement: Statement, _ selection: TableSelection, _ slots: EntitySlots) {
        set(row, 0, from: 2, of: statement)
        var column: Int32 = 3
        for target in selection.targets {
            if target.isEntityNumber {
                let slot = statement.isNull(column) ? nil : slots[statement.integer(column)]
                set(row, target.position, to: slot.map { ArenaValue.integer(Int64($0)) } ?? .null)
            } else {
                set(row, target.position, from: column, of: statement)
            }
            column += 1
        }
    }
}
