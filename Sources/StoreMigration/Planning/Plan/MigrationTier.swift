/// The ways in which the rows of an entity mapping are written to the destination. The planner chooses the fastest one
/// that is sufficient.
public enum MigrationTier: String, Sendable, Codable {
    /// `ALTER TABLE`: no row is read, or rows are changed where they are.
    case inPlace = "InPlace"
    /// `INSERT ... SELECT`.
    case sqlTransfer = "SQLTransfer"
    /// Rows pass through Swift.
    case rowTransfer = "RowTransfer"
    /// The code of a policy creates the objects.
    case policyTransfer = "PolicyTransfer"
    /// There are no rows to move.
    case none = "None"
}
