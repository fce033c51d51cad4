/// The progress of a migration.
public struct MigrationProgress: Sendable {
    /// The stage of a migration.
    public enum Stage: String, Sendable {
        /// The stages of a migration, in order.
        case copying, transferring, indexing, verifying, replacing, done
    }

    /// The current stage.
    public let stage: Stage

    /// The current table; nil if the stage does not process tables.
    public let table: String?

    /// The number of rows that have been written.
    public let rowsDone: Int64
    /// The number of all rows; nil if they were not counted.
    public let rowsTotal: Int64?

    /// The number of the step in the chain, from 1. The numbers of rows include all steps, as far as they are known.
    public var step = 1
    /// The number of steps in the chain.
    public var stepCount = 1

    /// Creates a report of the progress.
    public init(stage: Stage, table: String?, rowsDone: Int64, rowsTotal: Int64?) {
        self.stage = stage
        self.table = table
        self.rowsDone = rowsDone
        self.rowsTotal = rowsTotal
    }
}
