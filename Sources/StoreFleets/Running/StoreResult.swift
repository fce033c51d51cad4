/// What became of a store, before it is a row of a ledger.
struct StoreResult: Sendable {
    var versionBefore: String?
    var versionAfter: String?
    var bytesAfter: Int64?

    /// Findings that somebody should look at.
    var warnings: Int64 = 0

    /// Why it failed; nil if it is done.
    var failure: StoreFailure?
}
