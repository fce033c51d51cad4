public import ManagedObjectModels
public import PersistentStores
public import RecordSources
public import ValueTransformers

/// How an import runs.
public struct ImportOptions {
    /// When records are durable.
    public enum Commit: String, Sendable, CaseIterable {
        /// All records together, or nothing.
        case whole
        /// Each batch is durable.
        case batch
    }

    /// The most rows and bytes of a batch.
    public var limits: RecordBatch.Limits
    /// The most bytes of one record: a larger one is rejected. 1 KiB to 128 MiB; 16 MiB unless told.
    public var largestRecord = RecordLimits().bytes
    /// Whether the store stays as it is: the report says what would be.
    public var isDryRun: Bool
    /// What `now()` is in expressions, in seconds since 2001: one moment for all records, the start of the run unless
    /// told.
    public var now = ReferenceDate.now
    /// When records are durable.
    public var commit: Commit
    /// Settings of a new store; of one that is there its journal mode, and how it is written.
    public var pragmas = StorePragmas()
    /// What writes the rows of a new store.
    public var writer = NewStoreWriter.auto
    /// Whether an interrupted import goes on where its last batch ended; only with `Commit.batch`.
    public var isResuming = false
    /// Called at points where a crash would leave something different.
    public var onCheckpoint: ((String) -> Void)?
    /// The import stops with an error after more rejected records than this; nil for no limit.
    public var maximumRejects: Int?
    /// How many objects go because their sources are mirrored and have them no more.
    public var maximumDeletes = DeleteLimit.careful
    /// The folder that gets the rejected records, as they are in their source, and a log; nil for none.
    public var rejectsDirectory: String?
    /// Whether rejected records of other imports in that folder give way; else they are an error before anything is
    /// done.
    public var replacesRejects = false
    /// What entities and properties are called in a language, for messages; nil for the names in the model.
    public var localization: LocalizationDictionary?
    /// The value transformers of transformable attributes whose values are archived: `archive` in a mapping.
    public var transformers = ValueTransformerRegistry()
    /// Whether a rejected record is reported with its first fault only, and not looked at any further.
    public var stopsAtFirstFault = false
    /// Called with each rejected record and its bytes in the source; what it throws ends the import.
    public var onReject: ((RecordRejection, ArraySlice<UInt8>) throws -> Void)?
    /// Called after each batch with the records that are done, and the source.
    public var onProgress: ((_ records: Int64, _ source: String) -> Void)?
    /// Called when a stage begins after the records are read, and now and then during `building`.
    public var onStage: ((ImportStage) -> Void)?
    /// Asked now and then; true ends the import, and the store keeps what was committed.
    public var isCancelled: (() -> Bool)?
    /// The sizes of caches and windows, which users do not set.
    var fixedLimits = ImportLimits()

    /// Makes options; what is not given is as with `ferry import`.
    public init(
        limits: RecordBatch.Limits = RecordBatch.Limits(), isDryRun: Bool = false, commit: Commit = .whole,
        maximumRejects: Int? = nil
    ) {
        self.limits = limits
        self.isDryRun = isDryRun
        self.commit = commit
        self.maximumRejects = maximumRejects
    }
}
