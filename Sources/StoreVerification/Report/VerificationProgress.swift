/// The progress of a verification.
public struct VerificationProgress: Sendable, Hashable {
    /// The table that is checked next.
    public let table: String

    /// The number of rows in the tables that have been checked.
    public let rowsDone: Int64

    /// The number of rows in all tables to be checked.
    public let rowsTotal: Int64
}
