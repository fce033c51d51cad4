/// The type of a persistent store, by the name that its metadata have for it under `NSStoreType`.
public struct PersistentStoreType: Sendable, Hashable {
    /// The name in the store's metadata, as in `SQLite`.
    public let name: String

    /// A custom type, or one of Core Data's by its name.
    public init(_ name: String) {
        self.name = name
    }

    /// `NSSQLiteStoreType`.
    public static let sqlite = PersistentStoreType("SQLite")
    /// `NSXMLStoreType`.
    public static let xml = PersistentStoreType("XML")
    /// `NSBinaryStoreType`.
    public static let binary = PersistentStoreType("Binary")
    /// `NSInMemoryStoreType`: objects that no file has.
    public static let inMemory = PersistentStoreType("InMemory")
}
