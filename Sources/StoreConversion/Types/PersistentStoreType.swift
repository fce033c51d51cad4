/// The type of a persistent store, by the name that its metadata have for it under `NSStoreType`.
public struct PersistentStoreType: Sendable, Hashable {
    public let name: String

    /// A custom type, or one of Core Data's by its name.
    public init(_ name: String) {
        self.name = name
    }

    public static let sqlite = PersistentStoreType("SQLite")
    public static let xml = PersistentStoreType("XML")
    public static let binary = PersistentStoreType("Binary")
    public static let inMemory = PersistentStoreType("InMemory")
}
