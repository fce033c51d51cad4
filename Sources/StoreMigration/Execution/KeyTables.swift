import PersistentStores
import SQLiteAccess

/// Where the keys of objects stand that several source objects make: a database of its own in a temporary folder, so
/// that the connections of all reading threads find them. It goes with this value.
final class KeyTables {
    /// What statements call it.
    static let schema = "keys"

    private let folder: TemporaryFolder
    private let pages: Int

    /// - Parameter pages: KiB of pages that a connection keeps of it.
    /// - Throws: `StoreError` where there is no folder for temporary files.
    init(pages: Int) throws(StoreError) {
        self.pages = pages
        do {
            folder = try TemporaryFolder(kind: "ferry-keys-")
        } catch {
            throw StoreError(FileError(.create, error.parent, number: error.number))
        }
    }

    /// Makes the tables readable on a connection, and writable as long as no other one reads them.
    func attach(to connection: Connection) throws(SQLiteError) {
        try connection.attach(path: folder.path + "/keys.sqlite", as: Self.schema, access: .create)
        // What a run that ends has made goes with the folder.
        try connection.execute(
            """
            PRAGMA \(Self.schema).journal_mode = OFF;
            PRAGMA \(Self.schema).synchronous = OFF;
            PRAGMA \(Self.schema).cache_size = -\(pages);
            """)
    }
}
