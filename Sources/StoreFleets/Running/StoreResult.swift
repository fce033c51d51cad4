/// The result of a store, before it becomes a row of a ledger.
struct StoreResult: Sendable {
    var versionBefore: String?
    var versionAfter: String?

    /// Digests of the version hashes in the metadata; nil if they could not be read.
    var hashesBefore: String?
    var hashesAfter: String?
    var bytesBefore: Int64?
    var bytesAfter: Int64?

    /// The number of objects, if the operation counts them.
    var objects: Int64?
    var findings: [StoreFinding] = []

    /// The failure; nil if the store is done.
    var failure: StoreFailure?

    /// The number of findings that need attention.
    var warnings: Int64 { Int64(findings.count { $0.severity == .warning }) }
}
