import PersistentStores
import SQLiteAccess

/// A temporary database that contains the keys of objects that are created from several source objects. It is a file,
/// so that the connections of all reading threads can attach it. The file is removed when this value is deinitialized.
final class KeyTables {
    /// The name of the database in SQL.
    static let schema = "keys"

    private let folder: TemporaryFolder
    private let pages: Int

    /// Creates the folder of the database.
    ///
    /// - Parameter pages: the size of each connection's page cache for the database, in KiB.
    /// - Throws: `StoreError` if there is no folder for temporary files.
    init(pages: Int) throws(StoreError) {
        self.pages = pages
        do {
            folder = try TemporaryFolder(kind: "ferry-keys-")
        } catch {
            throw StoreError(FileError(.create, error.parent, number: error.number))
        }
    }

    /// Attaches the database to a connection. The connection may write to it while no other connection reads it.
    func attach(to connection: Connection) throws(SQLiteError) {
        try connection.attach(path: folder.path + "/keys.sqlite", as: Self.schema, access: .create)
        // The database is removed when the run ends, so it needs neither a journal nor synchronization.
        try connection.execute(
            """
            PRAGMA \(Self.schema).journal_mode = OFF;
            PRAGMA \(Self.schema).synchronous = OFF;
            PRAGMA \(Self.schema).cache_size = -\(pages);
            """)
    }
}
