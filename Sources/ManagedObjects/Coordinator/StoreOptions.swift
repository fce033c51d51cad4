public import PersistentStores

/// How a store is added to a coordinator.
public struct StoreOptions: Sendable {
    /// Whether nothing is written to the store, not even beside it.
    public var isReadOnly = false

    /// Whether an XML store is held against its document type before it is read; other stores have none.
    public var validatesXML = false

    /// How long to wait for another process' lock, in milliseconds.
    public var timeout: Int32 = 2000

    /// Settings of a SQLite store: those of a file for a store that is made, its journal mode, and what each context's
    /// connection synchronizes. None makes a store that is there less safe.
    public var pragmas = StorePragmas()

    /// Makes options: the store is written, and locks are waited for two seconds.
    public init() {}
}
