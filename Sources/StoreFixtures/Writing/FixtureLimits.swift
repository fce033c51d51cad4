import SQLiteFileBuilder

/// The sizes in which a store with generated data is written.
///
/// They must not affect the result. They are all here, so that a test can make them arbitrarily small.
struct FixtureLimits {
    /// The number of rows after which progress is reported, and cancellation checked.
    var reportedRows = 1000
    /// The size of SQLite's page cache in KiB: unique indexes are sorted in parts of that size.
    var pages = 4096
    /// The limits of the builder.
    var build = BuildLimits()
}
