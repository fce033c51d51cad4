import PersistentStores

/// What a migration would do: a value that prints. Computing it writes nothing.
public struct MigrationPlan: Sendable {
    /// One entity of the source or the destination, and what becomes of its rows.
    public struct EntityPlan: Sendable, Hashable, Codable {
        /// `IEM_Copy_E` and the like.
        public let mapping: String
        /// The name of the source entity; nil for a new one.
        public let source: String?
        /// The name of the destination entity; nil for one that is removed.
        public let destination: String?
        /// How much the rows have to change.
        public let tier: MigrationTier
        /// Why they have to change so much, as a clause.
        public let reason: String
        /// The rows in the source; nil if no one counted, because no row has to be read.
        public let rows: Int64?
        /// The destination's table; nil if there is none.
        public let table: String?
    }

    /// The store that is migrated.
    let original: StoreFiles
    /// The path of the store that is migrated.
    public var sourcePath: String { original.path }
    /// What messages call that store: its path, unless it stands for a store of another type.
    public var shownPath: String { original.shownPath }

    /// The database that is read: the store, or an intermediate of its chain.
    let inputPath: String
    /// The path of the result; the store's own where it is replaced.
    public let destinationPath: String
    /// What messages call the result.
    public var shownDestinationPath: String { destinationPath == sourcePath ? shownPath : destinationPath }
    /// Whether the store is replaced, or the result goes elsewhere.
    public let placement: MigrationPlacement
    /// The UUID of the store, which the result has too.
    public let storeUUID: String
    /// The name of the version that the store has.
    public let sourceVersion: String
    /// The name of the version that the result will have.
    public let destinationVersion: String

    /// The configuration whose entities the store holds; nil if it holds all.
    public let configuration: String?

    /// Whether the store already is at the destination version.
    public let isUpToDate: Bool

    /// Whether the result is made in a new file, a copy, or the original.
    public let method: Method
    /// Why the result is made so, as a clause.
    public let methodReason: String

    /// Where the result is made.
    public enum Method: String, Sendable, Codable {
        /// Not at all, in a new file, in a copy of the store that is changed, or in the store itself.
        case nothing, newFile = "new file", copy = "changed copy", original = "changed in place"
    }

    /// What becomes of the rows of each entity.
    public let entities: [EntityPlan]
    /// What the plan found out about the data and the models.
    public internal(set) var findings: [MigrationFinding]

    /// Tables that are kept without being understood.
    public let keptTables: [String]

    /// The bytes that the migration writes at the most.
    public var bytesNeeded: Int64 { space.needed }
    /// The bytes that are free where the migration writes; nil if that is not known.
    public var bytesFree: Int64? { space.free }

    /// What a backup takes on another file system; nil if none goes there.
    public var backupSpace: BackupSpace? { space.backup }

    /// Whether there is not enough space for it.
    public var lacksSpace: Bool {
        (bytesFree.map { $0 < bytesNeeded } ?? false) || (backupSpace?.isMissing ?? false)
    }

    let space: SpaceEstimate
    let program: MigrationProgram?
    let destinationLayout: StoreLayout?
    let metadata: StoreMetadata
    let tableRows: [String: Int64]

    /// The steps in order; empty if the plan refuses.
    public var steps: [MigrationStep] { program.map { $0.steps + $0.foreignSteps } ?? [] }

    /// The worst of the findings; nil if there are none.
    public var severity: MigrationFinding.Severity? { findings.map(\.severity).max() }

    /// Whether executing the plan is refused.
    public var isRefused: Bool { severity == .error }

    /// The rows that are written, as far as they were counted.
    public var totalRows: Int64 { tableRows.values.reduce(0, +) }
}
