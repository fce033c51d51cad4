/// Where a migration stands.
public struct MigrationProgress: Sendable {
    /// What a migration is doing.
    public enum Stage: String, Sendable {
        /// The stages of a migration, in their order.
        case copying, transferring, indexing, verifying, replacing, done
    }

    /// What is being done.
    public let stage: Stage

    /// The table that is being worked on; nil if the work is not on a table.
    public let table: String?

    /// The rows that are written so far.
    public let rowsDone: Int64
    /// Rows in all; nil if they were not counted.
    public let rowsTotal: Int64?

    /// The step of the chain, from 1, and how many there are. The rows are those of all steps, as far as is known.
    public var step = 1
    /// How many steps the chain has.
    public var stepCount = 1

    /// Makes a report of where a migration stands.
    public init(stage: Stage, table: String?, rowsDone: Int64, rowsTotal: Int64?) {
        self.stage = stage
        self.table = table
        self.rowsDone = rowsDone
        self.rowsTotal = rowsTotal
    }
}
