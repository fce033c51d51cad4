import KeyedArchives
public import ManagedObjectModels
public import SQLiteAccess

/// An open Core Data store of type SQLite: its connection, metadata, entity numbers and schema.
///
/// The store is confined to the thread that opened it. If it is opened read-only, nothing is written anywhere.
public final class SQLiteStore {
    /// The paths of the store's files.
    public let files: StoreFiles
    /// The connection to the store's database, which is the `main` one.
    public let connection: Connection
    /// The store's UUID, type and version hashes, and the metadata that an app has added.
    public let metadata: StoreMetadata

    /// The rows of `Z_PRIMARYKEY`, by number.
    public let entityRecords: [EntityRecord]

    /// The tables, indexes, triggers and views that the store has.
    public let schema: StoreSchema

    /// Opens a store.
    ///
    /// - Parameters:
    ///   - path: the path of the store.
    ///   - access: whether the store is only read or can be changed.
    ///   - timeout: how long to wait for another process's lock, in milliseconds.
    ///   - shownPath: the path that messages show, if the file stands in for another store; nil for its own path.
    /// - Throws: `StoreError`, which says whether the file is missing, not a database, not a store, damaged or locked.
    public convenience init(
        path: String, access: Connection.Access = .readOnly, timeout: Int32 = LockTimeout.milliseconds,
        shownAs shownPath: String? = nil
    ) throws(StoreError) {
        try Self.checkFile(path, shownAs: shownPath ?? path)
        let files = StoreFiles(followingLinks: path, shownAs: shownPath)
        // An unfinished journal is checked before SQLite rolls it back into the store itself.
        if access == .readWrite { _ = try JournalRecovery.rollBack(files, timeout: timeout) }
        try self.init(files: files, path: shownPath ?? path) { () throws(SQLiteError) in
            try Connection(path: path, access: access, busyTimeout: timeout, shownAs: shownPath)
        }
    }

    /// Makes a store without rows in memory, like a new store of a model.
    ///
    /// - Parameters:
    ///   - new: the model and metadata of the store.
    ///   - files: the paths that messages show.
    /// - Throws: `StoreError` if SQLite cannot make the tables.
    public convenience init(sketching new: NewStore, at files: StoreFiles) throws(StoreError) {
        try self.init(files: files, path: files.shownPath) { () throws(SQLiteError) in
            let connection = try Connection(path: ":memory:", access: .create)
            try new.createTables(connection)
            return connection
        }
    }

    private init(files: StoreFiles, path: String, open: () throws(SQLiteError) -> Connection) throws(StoreError) {
        self.files = files
        (connection, schema, metadata, entityRecords) = try Self.reading(path) {
            let connection = try open()
            try registerCoreDataFunctions(connection)
            let schema = try StoreSchema(of: connection)
            for table in Self.requiredTables where schema.table(named: table) == nil {
                throw StoreError(.notACoreDataStore(missing: table), path: path)
            }
            return (
                connection, schema, try Self.metadata(of: connection, path: path),
                try Self.entityRecords(of: connection, path: path)
            )
        }
    }

    /// Reads a store; turns errors of SQLite and invalid records into a `StoreError`.
    private static func reading<Result>(_ path: String, _ body: () throws -> Result) throws(StoreError) -> Result {
        do {
            return try body()
        } catch let error as StoreError {
            throw error
        } catch let error as SQLiteError {
            throw StoreError(error, path: path)
        } catch {
            throw StoreError(.corrupt("\(error)"), path: path)
        }
    }

    /// Checks what can be known about a file before SQLite opens it.
    private static func checkFile(_ path: String, shownAs shownPath: String) throws(StoreError) {
        try StoreError.checkReach(path)
        let size = FileSystem.size(path) ?? 0
        if FileSystem.isDirectory(path) { throw StoreError(.isDirectory, path: shownPath) }
        let file: DatabaseFile
        do {
            file = try DatabaseFile(path: path)
        } catch {
            throw StoreError(error, path: shownPath)
        }
        guard file.isSQLite else { throw StoreError(file.isEmpty ? .empty : .notADatabase, path: shownPath) }
        if file.isTruncated, let pages = file.pageCount, let pageSize = file.pageSize {
            throw StoreError(.truncated(expected: Int64(pages) * Int64(pageSize), found: size), path: shownPath)
        }
    }

    /// Reads only the metadata of a store.
    ///
    /// - Throws: `StoreError`, as opening the store does, if it has no metadata.
    public static func metadata(at path: String) throws(StoreError) -> StoreMetadata {
        try checkFile(path, shownAs: path)
        return try reading(path) {
            let connection = try Connection(path: path, access: .readOnly, busyTimeout: LockTimeout.milliseconds)
            defer { try? connection.close() }
            for table in requiredTables {
                let row = try connection.value(
                    "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", [.string(table)])
                if row == .null { throw StoreError(.notACoreDataStore(missing: table), path: path) }
            }
            return try metadata(of: connection, path: path)
        }
    }

    /// The tables that every store has.
    private static let requiredTables = ["Z_METADATA", "Z_PRIMARYKEY"]

    static func metadata(of connection: Connection, path: String) throws -> StoreMetadata {
        // The length is read first: a damaged or hostile file may claim a gigabyte.
        let lengths = try connection.rows(
            "SELECT ifnull(length(CAST(Z_UUID AS BLOB)), 0) + ifnull(length(Z_PLIST), 0) FROM Z_METADATA LIMIT 1")
        if let length = lengths.first?[0].integer, length > maximumMetadataSize {
            throw StoreError(
                .metadataUnreadable("they have \(length) bytes, and the limit is \(maximumMetadataSize)"),
                path: path)
        }
        let rows = try connection.rows("SELECT Z_UUID, Z_PLIST FROM Z_METADATA LIMIT 1")
        guard let row = rows.first else { throw StoreError(.metadataUnreadable("Z_METADATA is empty"), path: path) }
        guard let bytes = row[1].blob else {
            throw StoreError(.metadataUnreadable("Z_PLIST is not a property list"), path: path)
        }
        do {
            guard let entries = try PropertyListReader.value(from: bytes).dictionary else {
                throw StoreError(.metadataUnreadable("Z_PLIST is not a dictionary"), path: path)
            }
            return StoreMetadata(uuid: row[0].string ?? "", entries: entries)
        } catch let error as PropertyListError {
            throw StoreError(.metadataUnreadable(error.description), path: path)
        }
    }

    /// In bytes. Real metadata take some kilobytes; those of a model of ten thousand entities take less than a
    /// megabyte.
    private static let maximumMetadataSize: Int64 = 64 << 20

    /// The most entities that are read. Core Data reserves the entity numbers from 16000 on, so no model has more.
    private static let maximumEntityCount = 100_000

    private static func entityRecords(of connection: Connection, path: String) throws -> [EntityRecord] {
        let size = try connection.rows("SELECT count(*), ifnull(sum(length(Z_NAME)), 0) FROM Z_PRIMARYKEY").first ?? []
        if let count = size.first?.integer, let length = size.last?.integer,
            count > maximumEntityCount || length > maximumMetadataSize
        {
            throw StoreError(
                .metadataUnreadable("Z_PRIMARYKEY has \(count) rows with names of \(length) characters in all"),
                path: path)
        }
        return try entityRecords(of: connection)
    }

    private static func entityRecords(of connection: Connection) throws -> [EntityRecord] {
        try connection.rows("SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_ENT").map { row in
            EntityRecord(
                number: Int(row[0].integer ?? 0), name: row[1].string ?? "",
                superentityNumber: Int(row[2].integer ?? 0), maximumKey: row[3].integer ?? 0)
        }
    }

    /// The names of the model's entities, without those of persistent history and mirroring.
    public var entityNames: [String] {
        entityRecords.filter { !$0.isSystem }.map(\.name)
    }

    /// Returns where the model's entities and properties are in this store; the layout lists what is missing.
    public func layout(for model: ResolvedModel) -> StoreLayout {
        let numbers = Dictionary(entityRecords.map { ($0.name, $0.number) }, uniquingKeysWith: { first, _ in first })
        return LayoutMatching.layout(of: model, in: schema, numbersByName: numbers)
    }
}

/// Registers the functions that Core Data's triggers call on a connection; they do nothing, or return the time.
/// - Throws: `SQLiteError` if the connection is closed.
public func registerCoreDataFunctions(_ connection: Connection) throws(SQLiteError) {
    for function in DerivedAttributeTriggers.functionNames {
        try connection.registerFunction(
            // The triggers of derived attributes call them in any store.
            function.name, argumentCount: function.argumentCount, deterministic: false, isInnocuous: true
        ) { _ in
            function.name == "NSCoreDataNow" ? .real(ReferenceDate.now) : .null
        }
    }
}
