/// Rows, or other things, of work that is watched.
struct WatchedRows: Sendable {
    /// The table or entity that they are of; nil for rows of several.
    let table: String?
    let done: Int64
    /// How many there are; nil if that is not known.
    let total: Int64?
    /// What is counted, in the singular.
    var unit = "row"
}
