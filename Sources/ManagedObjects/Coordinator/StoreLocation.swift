import StoreConversion

/// The location of a store, and how it is opened.
struct StoreLocation: Sendable {
    var path: String
    var type: PersistentStoreType
    var configuration: String?
    var options: StoreOptions
}
