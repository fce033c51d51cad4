import KeyedArchives
import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import SQLiteFileBuilder

/// A new SQLite store that is filled beside its place, and renamed there when it is whole.
final class NewSQLiteStore {
    let staged: StagedFile
    let externals: StagedExternalData
    let writer: SQLiteObjectWriter
    private let connection: Connection
    private let newStore: NewStore
    private let destination: String
    private let options: ConversionOptions
    private let isWorking: Bool
    private var origins: [ObjectOrigins] = []

    /// - Parameters:
    ///   - destination: where the store will be.
    ///   - metadata: what the store says of itself; that of `newStore` counts for nothing.
    ///   - isWorking: whether the store is read where it is staged, and has no other place.
    init(
        for destination: String, _ newStore: NewStore, metadata: StoreMetadata, forms: ObjectForms,
        findings: ConversionFindings, options: ConversionOptions, isWorking: Bool
    ) throws {
        self.newStore = newStore
        self.destination = destination
        self.options = options
        self.isWorking = isWorking
        staged = try StagedFile(for: destination, isPrivate: true)
        externals = try StagedExternalData(for: isWorking ? staged.path : destination, isWorking: isWorking)
        do {
            connection = try Connection(path: staged.path, access: .create)
            try registerCoreDataFunctions(connection)
            // A file that no one sees yet needs no journal.
            try connection.execute(
                """
                PRAGMA main.journal_mode = OFF; PRAGMA main.synchronous = OFF; PRAGMA main.locking_mode = EXCLUSIVE;
                PRAGMA main.cache_size = -\(options.fixedLimits.newPages); PRAGMA temp_store = FILE;
                PRAGMA threads = 1;
                """)
            try newStore.createTables(connection, options.pragmas)
            try connection.execute(
                "UPDATE Z_METADATA SET Z_UUID = ?, Z_PLIST = ?",
                [
                    .string(metadata.uuid),
                    .blob(BinaryPropertyListWriter.bytes(for: .dictionary(metadata.entries))),
                ])
            connection.onProgress(everyInstructions: 100_000, options.isCancelled)
            let layout = newStore.layout
            let files = externals
            let values = forms.entities.map { form in
                form.slot < layout.model.entities.count && layout.table(ofEntity: form.slot) != nil
                    ? EntityValues(form, layout: layout, externals: files, findings: findings) : nil
            }
            let rows = try Self.rows(values, newStore, connection, options, path: destination)
            writer = try SQLiteObjectWriter(
                connection, layout: layout, forms: forms, rows: rows, findings: findings, path: destination)
            writer.keepsFaults = options.keepsFaults
        } catch let error as SQLiteError {
            throw StoreError(error, path: destination)
        }
    }

    /// What takes the rows, in a transaction.
    private static func rows(
        _ values: [EntityValues?], _ newStore: NewStore, _ connection: Connection,
        _ options: ConversionOptions, path: String
    ) throws -> any NewStoreRows {
        if options.writer != .sqlite {
            let indexes = builtIndexes(newStore.layout)
            do {
                let (rebuild, reasons) = try DatabaseRebuild.begin(
                    connection, indexes: indexes.map(\.createStatement), limits: options.fixedLimits.build)
                if let rebuild {
                    return try OrderedStoreRows(
                        rebuild, values, indexes: indexes, layout: newStore.layout, connection: connection, path: path)
                }
                guard options.writer == .auto else { throw ConversionError(.cannotBuild(reasons), path: path) }
            } catch let error as BuildError {
                throw OrderedStoreRows.explained(error, path)
            }
        }
        try connection.execute("BEGIN")
        return try InsertedRows(values, layout: newStore.layout, connection: connection, path: path)
    }

    /// The indexes that are made while rows are written; SQLite makes the unique ones, and says what is not unique, and
    /// those of some rows.
    private static func builtIndexes(_ layout: StoreLayout) -> [StoreIndex] {
        layout.indexes().indexes.filter { !$0.isUnique && $0.condition == nil }
    }

    /// Why the builder cannot write such a store; empty if it can.
    static func reasonsNotToBuild(_ newStore: NewStore, _ pragmas: StorePragmas) throws(SQLiteError) -> [String] {
        let connection = try Connection(path: ":memory:", access: .create)
        try registerCoreDataFunctions(connection)
        try newStore.createTables(connection, pragmas)
        for index in builtIndexes(newStore.layout) { try connection.execute(index.createStatement) }
        return try DatabaseSchema(of: connection).declined
    }

    /// Notes where the objects come from that were written since the last call.
    func note(_ store: String, uuid: String, bases: [Int64], keys: KeyRenumbering?) {
        origins.append(ObjectOrigins(store: store, uuid: uuid, bases: bases, keys: keys, last: writer.highestKeys))
    }

    /// Completes the links, makes indexes and triggers, and closes the file.
    ///
    /// - Parameters:
    ///   - modelCache: the model that the store carries, as another store did; nil for none.
    ///   - handedOut: the highest keys that were ever used, by the slot of the root entity.
    func finish(modelCache: [UInt8]?, handedOut: [Int64]) throws {
        do {
            try writer.finish()
            options.onCheckpoint?("links completed")
            try connection.execute("DROP TABLE temp.ferry_links")
            options.onProgress?("indexing", nil, 0)
            let built = writer.indexNames
            for index in newStore.layout.indexes().indexes where !built.contains(index.name) { try create(index) }
            let highest = writer.highestKeys
            for table in newStore.layout.tables {
                let number = Int64(newStore.layout.entityNumbers[table.root])
                try connection.execute(
                    "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?",
                    [.integer(max(highest[table.root], handedOut[table.root])), .integer(number)])
            }
            if let modelCache {
                try connection.execute("INSERT INTO Z_MODELCACHE VALUES (?)", [.blob(modelCache)])
            }
            try connection.execute("COMMIT")
            options.onCheckpoint?("indexes made")
            if !built.isEmpty {
                staged.beginSynchronizing()
                let faults = try DatabaseCheck(connection).faults()
                guard faults.isEmpty else {
                    throw ConversionError(.notBuilt(faults.joined(separator: "; ")), path: destination)
                }
            }
            try newStore.createTriggers(connection)
            if options.vacuums { try connection.execute("VACUUM") }
            connection.onProgress(everyInstructions: 0, nil)
            _ = try connection.value("PRAGMA main.locking_mode = NORMAL")
            // Core Data's own stores use a write-ahead log since 2013.
            let mode = isWorking ? "delete" : options.pragmas.journalMode(isLogged: true)
            _ = try connection.value("PRAGMA journal_mode = \(mode)")
        } catch let error as SQLiteError {
            throw StoreError(error, path: destination)
        }
    }

    private func create(_ index: StoreIndex) throws {
        do throws(SQLiteError) {
            try connection.execute(index.createStatement)
        } catch {
            // SQLITE_CONSTRAINT: some objects share what the model wants unique.
            guard error.primaryCode == 19 else { throw error }
            if options.keepsFaults { return }
            throw ConversionError(.notUnique(try duplicates(of: index)), path: destination)
        }
    }

    /// Objects with equal values, by the URIs that they have in the stores that they come from.
    private func duplicates(of index: StoreIndex) throws(SQLiteError) -> [String] {
        let columns = index.columns.map { SQLiteIdentifier.quoted($0.name) }.joined(separator: ", ")
        let present = index.columns.map { SQLiteIdentifier.quoted($0.name) + " IS NOT NULL" }.joined(separator: " AND ")
        let table = SQLiteIdentifier.quoted(index.table)
        let groups = try connection.rows(
            "SELECT count(*), min(Z_PK), max(Z_PK), \(columns) FROM \(table) "
                + "WHERE \(present) GROUP BY \(columns) HAVING count(*) > 1 LIMIT 5")
        var result: [String] = []
        for row in groups {
            let values = row.dropFirst(3).map { String($0.literal.prefix(40)) }.joined(separator: ", ")
            let two = try [row[1], row[2]].map { key throws(SQLiteError) in
                let number = try connection.value("SELECT Z_ENT FROM \(table) WHERE Z_PK = ?", [key]).integer ?? 0
                return try origin(of: key.integer ?? 0, entity: number, table: index.table)
            }
            result.append(
                "\(index.table): \(row[0].integer ?? 0) objects have \(values), among them \(two[0]) and \(two[1])")
        }
        return result
    }

    /// The URI of an object in its old store, and that store.
    private func origin(of key: Int64, entity number: Int64, table: String) throws(SQLiteError) -> String {
        let layout = newStore.layout
        guard let root = layout.tables.first(where: { $0.name == table })?.root,
            let origin = origins.first(where: { key <= $0.last[root] }),
            let entity = layout.model.entities.first(where: { Int64(layout.entityNumbers[$0.slot]) == number })
        else { return "p\(key)" }
        return try origin.text(of: key, entity: entity.name, root: root)
    }

    /// Lets go of the file, which stays where it is.
    func close() throws(StoreError) {
        // A connection with statements cannot be closed.
        origins = []
        do throws(SQLiteError) {
            try connection.close()
        } catch {
            throw StoreError(error, path: destination)
        }
    }
}
