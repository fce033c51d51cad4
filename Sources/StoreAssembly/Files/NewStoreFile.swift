public import PersistentStores
public import SQLiteAccess
public import SQLiteFileBuilder

/// The file of a new store, from its empty tables to its last page. Its users only add rows.
///
/// The builder writes rows and most indexes. SQLite creates the other indexes after all rows have been added. No one
/// else sees the file before it is complete.
public final class NewStoreFile {
    /// A closure that is called if a unique index cannot be created because rows have the same values. It may throw
    /// another error instead.
    public typealias ConstraintHandler = (StoreIndex, SQLiteError) throws -> Void

    /// The tables, their model and the metadata.
    public let newStore: NewStore
    /// The connection that created the file.
    public let connection: Connection
    private var build: NewStoreBuild?

    /// Creates a store without rows and indexes in an empty file.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - newStore: the tables and the metadata that the store gets.
    ///   - pragmas: settings of the file.
    ///   - pages: the size of SQLite's page cache in KiB.
    ///   - takesBack: whether transactions can be rolled back. If not, there is no journal, and a failure corrupts the
    ///     file.
    /// - Throws: `SQLiteError` if the tables cannot be created.
    public init(
        at path: String, _ newStore: NewStore, _ pragmas: StorePragmas = StorePragmas(), pages: Int,
        takesBack: Bool = false
    ) throws(SQLiteError) {
        self.newStore = newStore
        connection = try Connection(path: path, access: .create)
        try registerCoreDataFunctions(connection)
        try connection.execute(
            "PRAGMA main.journal_mode = \(takesBack ? "MEMORY" : "OFF"); PRAGMA main.synchronous = OFF; "
                + "PRAGMA main.locking_mode = EXCLUSIVE; PRAGMA main.cache_size = -\(pages); "
                + "PRAGMA temp_store = FILE; PRAGMA threads = 1")
        try newStore.createTables(connection, pragmas)
    }

    // MARK: Rows

    /// Begins to build the file bottom-up.
    ///
    /// - Parameter limits: the limits of the builder's memory.
    /// - Throws: `BuildError` if the file cannot be written; `SQLiteError` if its tables cannot be read.
    /// - Returns: the build, to which rows are added.
    public func begin(_ limits: BuildLimits = BuildLimits()) throws -> NewStoreBuild {
        let indexes = Self.builtIndexes(newStore.layout)
        let made = NewStoreBuild(
            try DatabaseRebuild.begin(connection, indexes: indexes.map(\.createStatement), limits: limits), limits)
        build = made
        return made
    }

    /// Whether the builder writes the file.
    public var isBuilt: Bool { build != nil }

    /// Returns the indexes that the file gets when it is built. SQLite creates unique indexes, because it reports values
    /// that are not unique.
    private static func builtIndexes(_ layout: StoreLayout) -> [StoreIndex] {
        layout.indexes().indexes.filter { !$0.isUnique }
    }

    /// Builds the file, with all indexes, from the rows of another file that has the same tables.
    ///
    /// - Parameters:
    ///   - working: a connection to the other file, which no one else writes. It has committed all rows.
    ///   - checkpoint: called once in a while. An error that it throws ends the work.
    /// - Throws: `BuildError` if the disk is full or fails, or if rows have the same values in a unique index;
    ///   `SQLiteError` if a connection cannot read its file.
    public func build(rowsOf working: Connection, checkpoint: () throws -> Void) throws {
        let indexes = newStore.layout.indexes().indexes
        let rebuild = try DatabaseRebuild.begin(connection, indexes: indexes.map(\.createStatement), keepsRows: false)
        let rows = try BuiltRows(of: working)
        for table in rebuild.tables {
            try checkpoint()
            try rebuild.table(table.name).append(rows.scan(table.name), checkpoint)
        }
        try rebuild.finish()
    }

    // MARK: The rest

    /// Creates the remaining indexes, after all rows have been added.
    ///
    /// - Parameter onConstraint: called for a unique index for which rows have the same values. If it returns, the
    ///   index is left out.
    /// - Throws: `SQLiteError` if an index cannot be created; what the closure throws.
    public func makeIndexes(_ onConstraint: ConstraintHandler) throws {
        let built = isBuilt ? Set(Self.builtIndexes(newStore.layout).map(\.name)) : []
        for index in newStore.layout.indexes().indexes where !built.contains(index.name) {
            do throws(SQLiteError) {
                try connection.execute(index.createStatement)
            } catch {
                guard error.isConstraint else { throw error }
                try onConstraint(index, error)
            }
        }
    }

    /// Records the highest keys that have been assigned.
    /// - Parameter keys: the highest key in each table, by the slot of its root entity.
    /// - Throws: `SQLiteError` if the file cannot be written.
    public func setHighestKeys(_ keys: [Int64]) throws(SQLiteError) {
        for table in newStore.layout.tables {
            try connection.execute(
                "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?",
                [.integer(keys[table.root]), .integer(Int64(newStore.layout.entityNumbers[table.root]))])
        }
    }

    /// Returns the faults in the pages of the file; empty if the file is as SQLite expects it.
    /// - Throws: `SQLiteError` if the file cannot be read.
    public func faults(isCancelled: (() -> Bool)? = nil) throws -> [String] {
        try DatabaseCheck(connection, isCancelled: isCancelled).faults()
    }

    /// Computes derived attributes, creates their triggers, and sets the journal mode of the file. Must be called
    /// outside of a transaction.
    ///
    /// - Parameters:
    ///   - journalMode: the journal mode, as SQLite names it.
    ///   - vacuums: whether the file is vacuumed first.
    /// - Throws: `SQLiteError` if the file cannot be written.
    public func finish(journalMode: String, vacuums: Bool = false) throws(SQLiteError) {
        try newStore.createTriggers(connection)
        if vacuums { try connection.execute("VACUUM") }
        connection.onProgress(everyInstructions: 0, nil)
        _ = try connection.value("PRAGMA main.locking_mode = NORMAL")
        _ = try connection.value("PRAGMA main.journal_mode = \(journalMode)")
    }
}

extension StoreError {
    /// Creates an error for a file that the builder could not read or write; nil for errors about the rows.
    public init?(_ error: BuildError) {
        guard case .file(_, let number) = error.kind else { return nil }
        self.init(FileError(.write, error.path, number: number))
    }
}
