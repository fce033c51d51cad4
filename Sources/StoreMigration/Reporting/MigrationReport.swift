public import PersistentStores

/// What a migration did.
public struct MigrationReport: Sendable, Codable {
    public struct EntityReport: Sendable, Codable, Hashable {
        public let mapping: String
        public let source: String?
        public let destination: String?
        public let tier: MigrationTier
        /// Rows in the source; nil if no row was read.
        public let read: Int64?
        /// Rows in the destination; nil if no row was written.
        public let written: Int64?
        public let dropped: Int64?
        /// Seconds spent on the entity's table, shared by all entities in it.
        public let seconds: Double
    }

    public let store: String
    public let result: String
    public let sourceVersion: String
    public let destinationVersion: String
    public let method: String
    public let entities: [EntityReport]
    public let findings: [MigrationFinding]
    public let keptTables: [String]
    public let rowsRead: Int64
    public let rowsWritten: Int64
    public let rowsDropped: Int64
    /// Seconds by stage.
    public let stages: [String: Double]
    public let seconds: Double
    /// The most memory that the process ever had in use, in bytes.
    public let peakMemory: Int64
    /// The folder with the old files, where one was asked for.
    public let backup: String?

    /// Where the work stood from moment to moment; nil in a step of a chain, which has them for all steps.
    public internal(set) var progress: [ProgressSample]?
}
