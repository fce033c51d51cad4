/// The sizes of the statements of a verification, and what SQLite keeps for it.
///
/// What is found must not depend on them. All of them stand here, so that a test can make them as small as it likes.
struct VerificationLimits: Sendable {
    /// Rows that keys lead to which one statement joins, about: SQLite joins 64 tables at the most, and a condition may
    /// ask others.
    var joins = 48
    /// Conditions of a statement, about: each one stands there twice, and a result has 2000 columns at the most.
    var checks = 400
    /// KiB of pages that SQLite keeps: sorting goes to files, and pages are read once, so that more saves nothing.
    var pages = 8192
}
