internal import SQLiteAccess

/// A b-tree of a file that is checked: its root, and the form of its records.
struct TreeShape {
    /// The rules that a column sets for its values.
    struct Column {
        let name: String
        let affinity: ColumnAffinity
        let isNotNull: Bool
        /// Whether rows that were written before the column was added have a value other than NULL.
        var hasDefault = false
    }

    /// The name for messages: "table T" or "index I".
    let title: String
    /// The name of the table or the index.
    var name = ""
    let table: String
    let root: UInt32
    /// Whether the tree is keyed by row IDs; otherwise it is keyed by values.
    let isTable: Bool
    /// The encoding of the texts in the records.
    let encoding: DatabaseFile.TextEncoding
    /// The columns; empty for indexes, and if SQLite checks the rows.
    let columns: [Column]
    /// The indexes of the table that are compared with it.
    var indexes: [IndexShape] = []
    /// The shape of the index; nil for tables, and for indexes that are not compared with their table.
    var index: IndexShape?
}
