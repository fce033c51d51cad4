import PersistentStores

/// The steps of a migration, as a value that can be printed. Creating a plan writes nothing.
public struct MigrationPlan: Sendable {
    /// An entity of the source or the destination, and how its rows are migrated.
    public struct EntityPlan: Sendable, Hashable, Codable {
        /// The name of the entity mapping, such as `IEM_Copy_E`.
        public let mapping: String
        /// The name of the source entity; nil for a new one.
        public let source: String?
        /// The name of the destination entity; nil for a removed one.
        public let destination: String?
        /// How much the rows have to change.
        public let tier: MigrationTier
        /// The reason for the tier, as a clause.
        public let reason: String
        /// The number of rows in the source; nil if they were not counted because no row must be read.
        public let rows: Int64?
        /// The destination's table; nil if there is none.
        public let table: String?
    }

    /// The store that is migrated.
    let original: StoreFiles
    /// The path of the store that is migrated.
    public var sourcePath: String { original.path }
    /// The name of this store in messages: its path, unless it stands for a store of another type.
    public var shownPath: String { original.shownPath }

    /// The path of the database that is read: the store, or an intermediate store of its chain.
    let inputPath: String
    /// The path of the result, which is the path of the store if it is replaced.
    public let destinationPath: String
    /// The name of the result in messages.
    public var shownDestinationPath: String { destinationPath == sourcePath ? shownPath : destinationPath }
    /// Whether the result replaces the store or is written elsewhere.
    public let placement: MigrationPlacement
    /// The UUID of the store, which the result keeps.
    public let storeUUID: String
    /// The name of the version that the store has.
    public let sourceVersion: String
    /// The name of the version that the result will have.
    public let destinationVersion: String

    /// The configuration whose entities the store contains; nil if it contains all.
    public let configuration: String?

    /// Whether the store already has the destination version.
    public let isUpToDate: Bool

    /// How the result is written.
    public let method: Method
    /// The reason for the method, as a clause.
    public let methodReason: String

    /// How the result of a migration is written.
    public enum Method: String, Sendable, Codable {
        /// Nothing is written, or the result is a new file, a changed copy of the store, or the store itself.
        case nothing, newFile = "new file", copy = "changed copy", original = "changed in place"
    }

    /// How the rows of each entity are migrated.
    public let entities: [EntityPlan]
    /// The findings about the data and the models.
    public internal(set) var findings: [MigrationFinding]

    /// Tables that are kept although their meaning is not known.
    public let keptTables: [String]

    /// The largest number of bytes that the migration writes.
    public var bytesNeeded: Int64 { space.needed }
    /// The number of free bytes where the migration writes; nil if it is not known.
    public var bytesFree: Int64? { space.free }

    /// The space of a backup on another file system; nil if there is none.
    public var backupSpace: BackupSpace? { space.backup }

    /// Whether there is not enough free space.
    public var lacksSpace: Bool {
        (bytesFree.map { $0 < bytesNeeded } ?? false) || (backupSpace?.isMissing ?? false)
    }

    let space: SpaceEstimate
    let program: MigrationProgram?
    let destinationLayout: StoreLayout?
    let metadata: StoreMetadata
    let tableRows: [String: Int64]

    /// The steps in order; empty if the migration is refused.
    public var steps: [MigrationStep] { program.map { $0.steps + $0.foreignSteps } ?? [] }

    /// The highest severity of the findings; nil if there are none.
    public var severity: MigrationFinding.Severity? { findings.map(\.severity).max() }

    /// Whether the migration is refused.
    public var isRefused: Bool { severity == .error }

    /// The number of rows that are written, as far as they were counted.
    public var totalRows: Int64 { tableRows.values.reduce(0, +) }
}
