public import PersistentStores

/// The options with which a store is added to a coordinator.
public struct StoreOptions: Sendable {
    /// Whether nothing is written to the store, or next to it.
    public var isReadOnly = false

    /// Whether an XML store is validated against its document type before it is read; no effect for other types.
    public var validatesXML = false

    /// How long to wait for another process's lock, in milliseconds.
    public var timeout: Int32 = 2000

    /// Settings of a SQLite store: file settings for a new store, its journal mode, and the synchronization of each
    /// context's connection. None of them makes an existing store less safe.
    public var pragmas = StorePragmas()

    /// Makes the default options: the store can be written, and the lock timeout is two seconds.
    public init() {}
}
