/// The sizes of a verification's statements, and of SQLite's cache.
///
/// They must not affect the findings. They are all here, so that a test can make them arbitrarily small.
struct VerificationLimits: Sendable {
    /// The approximate number of destination rows that one statement joins: SQLite joins at most 64 tables, and
    /// conditions may use others.
    var joins = 48
    /// The approximate number of conditions in a statement: each one occurs twice, and a result has at most 2000
    /// columns.
    var checks = 400
    /// The size of SQLite's page cache in KiB: sorting uses files, and pages are read once, so a larger cache has no
    /// benefit.
    var pages = 8192
}
