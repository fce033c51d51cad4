import SQLiteFileBuilder

/// The sizes of what is done at once while a store with made-up data is written.
///
/// What is written must not depend on them. All of them stand here, so that a test can make them as small as it likes.
struct FixtureLimits {
    /// Rows after which progress is reported, and a cancellation looked for.
    var reportedRows = 1000
    /// KiB of pages that SQLite keeps: unique indexes are sorted in pieces of that size.
    var pages = 4096
    /// What the builder keeps.
    var build = BuildLimits()
}
