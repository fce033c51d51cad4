import PersistentStores
import SQLiteAccess
import StoreAssembly

/// The file beside a new store in which SQLite looks up and changes objects, batch by batch, if they cannot be
/// identified by sorting and merging. When all records have been imported, the store is built from its rows.
///
/// The file has only the indexes that are needed for look-ups. A killed run leaves it behind with the staged file, and
/// the next run removes both.
final class WorkingFile {
    private let staged: String
    private let newStore: NewStore
    private let options: ImportOptions
    private var file: NewStoreFile?

    /// Describes the file, which is not created before it is needed.
    ///
    /// - Parameters:
    ///   - staged: the path at which the store is built.
    ///   - newStore: the tables and the metadata of the store.
    ///   - options: the options of the import.
    init(beside staged: String, _ newStore: NewStore, _ options: ImportOptions) {
        self.staged = staged
        self.newStore = newStore
        self.options = options
    }

    deinit {
        try? file?.connection.close()
    }

    /// Creates the file with its tables, and returns a connection that has begun a transaction.
    func begin() throws(SQLiteError) -> Connection {
        let made = try NewStoreFile(
            at: StagedFile.rowsPath(of: staged), newStore, options.pragmas, pages: options.fixedLimits.pages.rows,
            takesBack: true)
        file = made
        try made.connection.execute("BEGIN")
        return made.connection
    }

    /// If the file was created, builds the store from its rows, and removes it. No statement of the connection may be in
    /// use.
    ///
    /// - Parameters:
    ///   - store: the file of the store, without rows.
    ///   - whenBuilt: called when both files have all rows.
    @_optimize(size)
    func build(_ store: NewStoreFile, whenBuilt: () -> Void) throws {
        guard let connection = file?.connection else { return }
        try connection.execute("COMMIT")
        options.onStage?(.building)
        options.onCheckpoint?("working file filled")
        try SQLiteError.ofBuilder {
            try store.build(rowsOf: connection) {
                if options.isCancelled?() ?? false { throw ImportError.cancelled }
                options.onStage?(.building)
            }
        }
        whenBuilt()
        options.onCheckpoint?("working file copied")
        try connection.close()
        file = nil
        try? FileSystem.remove(connection.path)
    }
}
