/// How the rows of an entity mapping get into the destination; the planner picks the cheapest that can express it.
public enum MigrationTier: String, Sendable, Codable {
    /// `ALTER TABLE`: no row is read, or rows change where they are.
    case inPlace = "InPlace"
    /// `INSERT ... SELECT`.
    case sqlTransfer = "SQLTransfer"
    /// Rows pass through Swift.
    case rowTransfer = "RowTransfer"
    /// The code of a policy makes the objects.
    case policyTransfer = "PolicyTransfer"
    /// There are no rows to move.
    case none = "None"
}
