import PersistentStores

/// How a store is added to a coordinator.
public struct StoreOptions: Sendable {
    /// Whether nothing is written to the store, not even beside it.
    public var isReadOnly = false

    /// How long to wait for another process' lock, in milliseconds.
    public var timeout: Int32 = 2000

    /// Makes options: the store is written, and locks are waited for two seconds.
    public init() {}
}
