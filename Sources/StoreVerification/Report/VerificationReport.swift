/// The result of a verification.
public struct VerificationReport: Sendable, Hashable, Codable {
    /// The path of the store.
    public let store: String
    /// The store's UUID; empty if its metadata have none.
    public let storeUUID: String

    /// The model version that the store was compared with; nil if unknown.
    public let model: String?

    /// The findings by rule, then in the order of the model's entities.
    public let findings: [VerificationFinding]

    /// The number of rows in entity and join tables that were checked.
    public let rows: Int64

    /// The duration in seconds.
    public let seconds: Double

    /// The highest severity of a finding; nil if there are none.
    public var severity: VerificationFinding.Severity? { findings.map(\.severity).max() }
}
