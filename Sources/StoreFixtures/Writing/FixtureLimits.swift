/// The sizes of what is done at once while a store with made-up data is written, beside its batches.
///
/// What is written must not depend on them. All of them stand here, so that a test can make them as small as it likes.
struct FixtureLimits {
    /// Rows after which progress is reported, a cancellation looked for, and a batch ended that is full.
    var reportedRows = 1000
    /// KiB of pages that SQLite keeps: rows are appended, and indexes sorted in pieces of that size.
    var pages = 4096
}
