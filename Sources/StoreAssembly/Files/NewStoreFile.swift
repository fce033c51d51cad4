public import PersistentStores
public import SQLiteAccess
public import SQLiteFileBuilder

/// The file of a new store, from its empty tables to its last page: whoever fills it adds nothing but rows.
///
/// The builder writes rows and most indexes; SQLite makes the others when the rows are there. No one else sees the file
/// before it is whole.
public final class NewStoreFile {
    /// What makes an index fails because rows have the same values: rethrown as what the caller makes of it.
    public typealias ConstraintHandler = (StoreIndex, SQLiteError) throws -> Void

    /// The tables, their model and the metadata.
    public let newStore: NewStore
    /// The connection that the file was made by.
    public let connection: Connection
    private var build: NewStoreBuild?

    /// Makes an empty file a store without rows and indexes.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - newStore: the tables and the metadata that the store gets.
    ///   - pragmas: settings of the file.
    ///   - pages: KiB of pages that SQLite keeps.
    ///   - takesBack: whether transactions are taken back: else there is no journal, and what fails spoils the file.
    /// - Throws: `SQLiteError` if the tables cannot be made.
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
    /// - Parameter limits: what the builder keeps in memory.
    /// - Throws: `BuildError` if the file cannot be written; `SQLiteError` if its tables cannot be read.
    /// - Returns: what takes the rows; nil if the builder cannot write such a store, with the reasons.
    public func begin(_ limits: BuildLimits = BuildLimits()) throws -> (build: NewStoreBuild?, declined: [String]) {
        let indexes = Self.builtIndexes(newStore.layout)
        let (rebuild, declined) = try DatabaseRebuild.begin(
            connection, indexes: indexes.map(\.createStatement), limits: limits)
        build = rebuild.map { NewStoreBuild($0, limits) }
        return (build, declined)
    }

    /// Whether the builder writes the file.
    public var isBuilt: Bool { build != nil }

    /// Why the builder cannot write such a store; empty if it can.
    /// - Throws: `SQLiteError` if its tables cannot be made.
    public static func reasonsNotToBuild(
        _ newStore: NewStore, _ pragmas: StorePragmas
    ) throws(SQLiteError) -> [String] {
        let connection = try Connection(path: ":memory:", access: .create)
        try registerCoreDataFunctions(connection)
        try newStore.createTables(connection, pragmas)
        for index in builtIndexes(newStore.layout) { try connection.execute(index.createStatement) }
        return try DatabaseSchema(of: connection).declined
    }

    /// The indexes that are made while rows are written; SQLite makes the unique ones, and says what is not unique, and
    /// those of some rows.
    private static func builtIndexes(_ layout: StoreLayout) -> [StoreIndex] {
        layout.indexes().indexes.filter { !$0.isUnique && $0.condition == nil }
    }

    // MARK: The rest

    /// Makes the indexes that are not there yet, when all rows are.
    ///
    /// - Parameter onConstraint: called for an index whose rows have the same values; the index is left out if it
    ///   returns.
    /// - Throws: `SQLiteError` if an index cannot be made; what the closure throws.
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

    /// Says which keys have been handed out.
    /// - Parameter keys: the highest in each table, by the slot of its root entity.
    /// - Throws: `SQLiteError` if the file cannot be written.
    public func setHighestKeys(_ keys: [Int64]) throws(SQLiteError) {
        for table in newStore.layout.tables {
            try connection.execute(
                "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?",
                [.integer(keys[table.root]), .integer(Int64(newStore.layout.entityNumbers[table.root]))])
        }
    }

    /// What is wrong with the pages of the file that was built; nothing if all is as SQLite would have it.
    /// - Throws: `SQLiteError` if the file cannot be read.
    public func faults(isCancelled: (() -> Bool)? = nil) throws -> [String] {
        try DatabaseCheck(connection, isCancelled: isCancelled).faults()
    }

    /// Computes derived attributes, makes their triggers, and gives the file its journal mode. Outside a transaction.
    ///
    /// - Parameters:
    ///   - journalMode: as SQLite names it.
    ///   - vacuums: whether the file is vacuumed before.
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
    /// A file that the builder could not read or write; nil for what is wrong with the rows.
    public init?(_ error: BuildError) {
        guard case .file(_, let number) = error.kind else { return nil }
        self.init(FileError(.write, error.path, number: number))
    }
}
