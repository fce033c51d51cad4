/// Where a verification stands.
public struct VerificationProgress: Sendable, Hashable {
    /// The table that is checked next.
    public let table: String

    /// The rows of all tables that were checked.
    public let rowsDone: Int64

    /// The rows of all tables that are to be checked.
    public let rowsTotal: Int64
}
