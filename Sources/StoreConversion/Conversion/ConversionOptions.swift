public import PersistentStores

/// How a conversion is done.
public struct ConversionOptions {
    /// Whether every object keeps its key where another type of store would have others, so that URIs stay valid: keys
    /// begin at 1 in each table of a SQLite store, and XML and binary stores have one numbering for all objects.
    public var keepsIDs = false

    /// Whether the new store gets a UUID of its own; else it has that of the old one, whose place it can take. A store
    /// that is made of several has its own in any case.
    public var givesNewUUID = false

    /// With `keepsIDs`: keys up to this one stay, and above it each table's follow those of the table before; nil to
    /// keep all. For stores of one numbering whose working copy got new objects.
    public var keptKeys: Int64?

    /// Whether a new SQLite store keeps what is wrong with the objects: links of rows that lead nowhere or one way, and
    /// objects that a uniqueness constraint forbids. For looking at faults.
    var keepsFaults = false

    /// Called when the new store is whole, before it takes its place; what it throws ends the conversion.
    var onReady: (() throws -> Void)?

    /// Whether a new SQLite store is vacuumed at the end.
    public var vacuums = false

    /// Settings of a new SQLite store.
    public var pragmas = StorePragmas()

    /// What writes the rows of a new SQLite store, and of one on the way to another type.
    public var writer = NewStoreWriter.auto

    /// Where a table of old and new keys is written, as CSV; nil for nowhere.
    public var idMap: String?
    /// Whether a file that is there gives way to it; false to fail with `StoreError.exists`.
    public var replacesIDMap = false

    /// Whether the new store takes the place of what is at its path.
    public var replaces = false

    /// The types that there are.
    public var registry = PersistentStoreRegistry.standard

    /// The limits that no one has to know of; tests set them.
    var fixedLimits = ConversionLimits()

    /// Told about progress: stage, entity, objects done.
    public var onProgress: ((_ stage: String, _ entity: String?, _ objects: Int64) -> Void)?

    /// Asked now and then; true ends the conversion.
    public var isCancelled: (() -> Bool)?

    /// Told about points at which tests stop a run.
    public var onCheckpoint: ((String) -> Void)?

    /// Makes options that change as little as the target's type allows.
    public init() {}
}
