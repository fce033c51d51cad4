public import PersistentStores

/// The options of a conversion.
public struct ConversionOptions {
    /// Whether every object keeps its key, so that URIs stay valid, even if the new store's type would have other keys.
    /// In an SQLite store, the keys of each table begin at 1; in XML and binary stores, all objects share one
    /// numbering.
    public var keepsIDs = false

    /// Whether the new store gets a new UUID. Otherwise it has the UUID of the old store, and can take its place. A
    /// store that is made from several stores always gets a new UUID.
    public var givesNewUUID = false

    /// With `keepsIDs`: the highest key that is kept; higher keys are renumbered so that those of each table follow
    /// those of the table before. Nil to keep all keys. This is for stores with one numbering to whose working copy
    /// objects were added.
    public var keptKeys: Int64?

    /// Whether a new SQLite store keeps the faults of the objects, so that they can be examined: links that lead
    /// nowhere or have only one direction, and objects that violate a uniqueness constraint.
    var keepsFaults = false

    /// Called when the new store is complete, before it is moved to its place. If it throws an error, the conversion
    /// ends.
    var onReady: (() throws -> Void)?

    /// Whether a new SQLite store is vacuumed at the end.
    public var vacuums = false

    /// The settings of a new SQLite store.
    public var pragmas = StorePragmas()

    /// How the rows of a new SQLite store, or of an intermediate SQLite store, are written.
    public var writer = NewStoreWriter.auto

    /// The path of a CSV file with old and new keys; nil to write none.
    public var idMap: String?
    /// Whether an existing CSV file is replaced; if false, the conversion fails with `StoreError.exists`.
    public var replacesIDMap = false

    /// Whether the new store replaces an existing file at its path.
    public var replaces = false

    /// The known store types.
    public var registry = PersistentStoreRegistry.standard

    /// Internal limits, which tests set to small values.
    var fixedLimits = ConversionLimits()

    /// Called to report progress: the stage, the entity, and the number of objects that are done.
    public var onProgress: ((_ stage: String, _ entity: String?, _ objects: Int64) -> Void)?

    /// Called repeatedly; if it returns true, the conversion ends.
    public var isCancelled: (() -> Bool)?

    /// Called at points where tests can stop a run.
    public var onCheckpoint: ((String) -> Void)?

    /// Creates options with which as little changes as the type of the new store allows.
    public init() {}
}
