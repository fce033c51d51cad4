/// The type of a persistent store, identified by the value of `NSStoreType` in its metadata.
public struct PersistentStoreType: Sendable, Hashable {
    /// The name in the store's metadata, such as `SQLite`.
    public let name: String

    /// Creates a custom type, or one of Core Data's types, from its name.
    public init(_ name: String) {
        self.name = name
    }

    /// `NSSQLiteStoreType`.
    public static let sqlite = PersistentStoreType("SQLite")
    /// `NSXMLStoreType`.
    public static let xml = PersistentStoreType("XML")
    /// `NSBinaryStoreType`.
    public static let binary = PersistentStoreType("Binary")
    /// `NSInMemoryStoreType`: a store without a file.
    public static let inMemory = PersistentStoreType("InMemory")
}
