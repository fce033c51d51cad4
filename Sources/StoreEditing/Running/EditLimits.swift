/// The sizes in which the parts of an edit are processed; tests use small ones, so that they are exceeded.
struct EditLimits: Sendable {
    /// The maximum number of rules whose violations one statement counts: results in SQLite have up to 2000 columns,
    /// and all these conditions together are one expression per row.
    var rules = 400

    /// The maximum number of columns that one row value compares in a merge: row values in SQLite have up to 2000
    /// columns, and expressions a depth of up to 1000.
    var comparedColumns = 500
}
