/// A b-tree of a file that is checked: its root, and what its records must be like.
struct TreeShape {
    /// What a value of a column must be like.
    struct Column {
        let name: String
        let affinity: ColumnAffinity
        let isNotNull: Bool
        /// Whether rows that were written before the column was added have another value than NULL.
        var hasDefault = false
    }

    /// "table T" or "index I", for messages.
    let title: String
    /// The name of the table or the index.
    var name = ""
    let table: String
    let root: UInt32
    /// Whether rows are found by their row IDs; otherwise by their values.
    let isTable: Bool
    /// Empty if rows are checked by SQLite, and for indexes.
    let columns: [Column]
    /// The indexes of a table that are compared with it.
    var indexes: [IndexShape] = []
    /// The index that the tree is, if it is compared with its table.
    var index: IndexShape?
}
