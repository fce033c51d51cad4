/// What became of a store, before it is a row of a ledger.
struct StoreResult: Sendable {
    var versionBefore: String?
    var versionAfter: String?

    /// Digests of the version hashes in the metadata; nil if there were none to read.
    var hashesBefore: String?
    var hashesAfter: String?
    var bytesBefore: Int64?
    var bytesAfter: Int64?

    /// How many objects there are, where the operation counts them.
    var objects: Int64?
    var findings: [StoreFinding] = []

    /// Why it failed; nil if it is done.
    var failure: StoreFailure?

    /// Findings that somebody should look at.
    var warnings: Int64 { Int64(findings.count { $0.severity == .warning }) }
}
