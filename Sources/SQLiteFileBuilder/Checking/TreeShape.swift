/// A b-tree of a file that is checked: its root, and what its records must be like.
struct TreeShape {
    /// What a value of a column must be like.
    struct Column {
        let name: String
        let affinity: ColumnAffinity
        let isNotNull: Bool
    }

    /// "table T" or "index I", for messages.
    let title: String
    let table: String
    let root: UInt32
    /// Whether rows are found by their row IDs; otherwise by their values.
    let isTable: Bool
    /// Empty if rows are checked by SQLite, and for indexes.
    let columns: [Column]
}
