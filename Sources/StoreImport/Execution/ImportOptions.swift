public import ManagedObjectModels
public import PersistentStores
public import RecordSources
public import ValueTransformers

/// The options of an import.
public struct ImportOptions {
    /// The time at which records become durable.
    public enum Commit: String, Sendable, CaseIterable {
        /// All records are committed together, or not at all.
        case whole
        /// Each batch is committed.
        case batch
    }

    /// The maximum numbers of rows and bytes of a batch.
    public var limits: RecordBatch.Limits
    /// The maximum size of a record in bytes, from 1 KiB to 128 MiB; larger records are rejected. The default is 16
    /// MiB.
    public var largestRecord = RecordLimits().bytes
    /// Whether the store stays as it is, and the report says what an import would do.
    public var isDryRun: Bool
    /// The value of `now()` in expressions, in seconds since 2001. It is the same for all records; by default, it is
    /// the start of the run.
    public var now = ReferenceDate.now
    /// The time at which records become durable.
    public var commit: Commit
    /// The settings of a new store. For an existing store, its journal mode and how it is written.
    public var pragmas = StorePragmas()
    /// The writer of the rows of a new store.
    public var writer = NewStoreWriter.auto
    /// Whether an interrupted import continues after its last batch; only with `Commit.batch`.
    public var isResuming = false
    /// Called at points between which a crash would leave different files.
    public var onCheckpoint: ((String) -> Void)?
    /// The number of rejected records after which the import stops with an error; nil for no limit.
    public var maximumRejects: Int?
    /// The number of objects that may be deleted because their mirrored sources no longer contain them.
    public var maximumDeletes = DeleteLimit.careful
    /// The folder for the rejected records, as they are in their source, and for a log; nil for none.
    public var rejectsDirectory: String?
    /// Whether rejected records of other imports in that folder are replaced. Otherwise, they are an error before
    /// anything is done.
    public var replacesRejects = false
    /// The names of entities and properties in a language, for messages; nil for the names in the model.
    public var localization: LocalizationDictionary?
    /// The value transformers of transformable attributes that a mapping fills with `archive`.
    public var transformers = ValueTransformerRegistry()
    /// Whether only the first fault of a rejected record is reported, without a search for others.
    public var stopsAtFirstFault = false
    /// Called with each rejected record and its bytes in the source. If it throws an error, the import ends with it.
    public var onReject: ((RecordRejection, ArraySlice<UInt8>) throws -> Void)?
    /// Called after each batch with the number of records that are done, and the name of the source.
    public var onProgress: ((_ records: Int64, _ source: String) -> Void)?
    /// Called when a stage begins after the records are read, and at intervals during `building`.
    public var onStage: ((ImportStage) -> Void)?
    /// Called at intervals. If it returns true, the import ends, and the store keeps what was committed.
    public var isCancelled: (() -> Bool)?
    /// The sizes of caches and windows, which users do not set.
    var fixedLimits = ImportLimits()

    /// Creates options. The defaults are those of `ferry import`.
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
