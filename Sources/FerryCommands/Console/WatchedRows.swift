/// The number of rows, or of other units, in watched work.
struct WatchedRows: Sendable {
    /// The table or entity of the rows; nil for rows of several tables.
    let table: String?
    let done: Int64
    /// The number of all rows; nil if it is not known.
    let total: Int64?
    /// The unit that is counted, in the singular.
    var unit = "row"
}
