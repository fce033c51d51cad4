/// The result of a verification.
public struct VerificationReport: Sendable, Hashable, Codable {
    /// The path of the store.
    public let store: String
    /// The store's UUID; empty if its metadata have none.
    public let storeUUID: String

    /// The version of the model that the store was held against; nil if none is known.
    public let model: String?

    /// What is wrong, by rule, then in the order of the model's entities.
    public let findings: [VerificationFinding]

    /// How many rows of entity and join tables were looked at.
    public let rows: Int64

    /// The seconds that it took.
    public let seconds: Double

    /// The heaviest finding; nil if there is none.
    public var severity: VerificationFinding.Severity? { findings.map(\.severity).max() }
}
