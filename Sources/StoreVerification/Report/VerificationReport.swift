/// The result of a verification.
public struct VerificationReport: Sendable, Hashable, Codable {
    /// The path of the store.
    public let store: String
    /// The store's UUID; empty if its metadata have none.
    public let storeUUID: String

    /// The version of the model that the store was held against; nil if none is known.
    public let model: String?

    /// By rule, then as the model has the entities.
    public let findings: [VerificationFinding]

    /// Rows of entity and join tables that were looked at.
    public let rows: Int64

    /// Seconds that it took.
    public let seconds: Double

    /// The heaviest finding; nil if there is none.
    public var severity: VerificationFinding.Severity? { findings.map(\.severity).max() }
}
