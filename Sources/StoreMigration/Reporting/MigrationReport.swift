public import PersistentStores

/// What a migration did.
public struct MigrationReport: Sendable, Codable {
    /// What became of the rows of an entity.
    public struct EntityReport: Sendable, Codable, Hashable {
        /// The name of the entity mapping, as in `IEM_Copy_E`.
        public let mapping: String
        /// The name of the source entity; nil for a new one.
        public let source: String?
        /// The name of the destination entity; nil for one that is removed.
        public let destination: String?
        /// How much the rows had to change.
        public let tier: MigrationTier
        /// Rows in the source; nil if no row was read.
        public let read: Int64?
        /// Rows in the destination; nil if no row was written.
        public let written: Int64?
        /// Rows that have no place in the destination; nil if they were not counted.
        public let dropped: Int64?
        /// Seconds spent on the entity's table, shared by all entities in it.
        public let seconds: Double
    }

    /// The path of the store.
    public let store: String
    /// The path of the result; the store's own where it was replaced.
    public let result: String
    /// The name of the version that the store had.
    public let sourceVersion: String
    /// The name of the version that the result has.
    public let destinationVersion: String
    /// How the result was made, by the raw value of `MigrationPlan.Method`.
    public let method: String
    /// What became of the rows of each entity.
    public let entities: [EntityReport]
    /// What was found out about the data and the models.
    public let findings: [MigrationFinding]
    /// Tables that were kept without being understood.
    public let keptTables: [String]
    /// The rows of all entities that were read.
    public let rowsRead: Int64
    /// The rows of all entities that were written.
    public let rowsWritten: Int64
    /// The rows of all entities that have no place in the destination.
    public let rowsDropped: Int64
    /// The seconds that each stage took, by its name.
    public let stages: [String: Double]
    /// The seconds that the migration took.
    public let seconds: Double
    /// The most memory that the process ever had in use, in bytes.
    public let peakMemory: Int64
    /// The folder with the old files; nil if none was asked for.
    public let backup: String?

    /// Where the work stood from moment to moment; nil in a step of a chain, which has them for all steps.
    public internal(set) var progress: [ProgressSample]?
}
