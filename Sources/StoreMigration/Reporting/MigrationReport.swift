public import PersistentStores

/// The result of a migration.
public struct MigrationReport: Sendable, Codable {
    /// The result for the rows of an entity.
    public struct EntityReport: Sendable, Codable, Hashable {
        /// The name of the entity mapping, such as `IEM_Copy_E`.
        public let mapping: String
        /// The name of the source entity; nil for a new one.
        public let source: String?
        /// The name of the destination entity; nil for a removed one.
        public let destination: String?
        /// How much the rows had to change.
        public let tier: MigrationTier
        /// The number of rows in the source; nil if no row was read.
        public let read: Int64?
        /// The number of rows in the destination; nil if no row was written.
        public let written: Int64?
        /// The number of rows that have no place in the destination; nil if they were not counted.
        public let dropped: Int64?
        /// The seconds spent on the entity's table, which includes all of the table's entities.
        public let seconds: Double
    }

    /// The path of the store.
    public let store: String
    /// The path of the result, which is the path of the store if it was replaced.
    public let result: String
    /// The name of the version that the store had.
    public let sourceVersion: String
    /// The name of the version that the result has.
    public let destinationVersion: String
    /// How the result was written: the raw value of a `MigrationPlan.Method`.
    public let method: String
    /// The results for each entity.
    public let entities: [EntityReport]
    /// The findings about the data and the models.
    public let findings: [MigrationFinding]
    /// Tables that were kept although their meaning is not known.
    public let keptTables: [String]
    /// The number of rows that were read.
    public let rowsRead: Int64
    /// The number of rows that were written.
    public let rowsWritten: Int64
    /// The number of rows that have no place in the destination.
    public let rowsDropped: Int64
    /// The duration of each stage in seconds, by its name.
    public let stages: [String: Double]
    /// The duration of the migration in seconds.
    public let seconds: Double
    /// The peak memory use of the process, in bytes.
    public let peakMemory: Int64
    /// The folder with the old files; nil if none was requested.
    public let backup: String?

    /// Samples of the progress over time; nil in a step of a chain, which has them for all steps.
    public internal(set) var progress: [ProgressSample]?
}
