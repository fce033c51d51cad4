import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import SQLiteFileBuilder
import StoreAssembly

/// A new SQLite store that is written beside its place, and renamed when it is complete.
final class NewSQLiteStore {
    let staged: StagedFile
    let externals: StagedExternalData
    let writer: SQLiteObjectWriter
    private let file: NewStoreFile
    private let destination: String
    private let options: ConversionOptions
    private let isWorking: Bool
    private var origins: [ObjectOrigins] = []
    private var blocks: KeyBlocks?

    /// - Parameters:
    ///   - destination: the path of the finished store.
    ///   - metadata: the metadata of the store; that of `newStore` is ignored.
    ///   - isWorking: whether the store is used where it is staged, and is not renamed.
    ///   - source: the path, for messages, of the store whose objects get new keys at the end if the builder writes the
    ///     file; nil if the objects have their keys already.
    init(
        for destination: String, _ newStore: NewStore, metadata: StoreMetadata, forms: ObjectForms,
        findings: ConversionFindings, options: ConversionOptions, isWorking: Bool, renumbering source: String? = nil
    ) throws {
        self.destination = destination
        self.options = options
        self.isWorking = isWorking
        staged = try StagedFile(for: destination, isPrivate: true)
        externals = try StagedExternalData(for: isWorking ? staged.path : destination, isWorking: isWorking)
        do {
            var newStore = newStore
            newStore.metadata = metadata
            file = try NewStoreFile(at: staged.path, newStore, options.pragmas, pages: options.fixedLimits.newPages)
            file.connection.onProgress(everyInstructions: 100_000, options.isCancelled)
            let layout = newStore.layout
            let files = externals
            let values = forms.entities.map { form in
                form.slot < layout.model.entities.count && layout.table(ofEntity: form.slot) != nil
                    ? EntityValues(form, layout: layout, externals: files, findings: findings) : nil
            }
            let rows = try Self.rows(values, file, options, path: destination, renumbering: source)
            writer = try SQLiteObjectWriter(
                file.connection, layout: layout, forms: forms, rows: rows, findings: findings, path: destination)
            writer.keepsFaults = options.keepsFaults
        } catch let error as SQLiteError {
            throw StoreError(error, path: destination)
        }
    }

    /// Returns the writer of the rows, in a transaction.
    private static func rows(
        _ values: [EntityValues?], _ file: NewStoreFile, _ options: ConversionOptions, path: String,
        renumbering source: String?
    ) throws -> any NewStoreRows {
        let layout = file.newStore.layout
        if options.writer != .sqlite {
            do {
                return try OrderedStoreRows(
                    try file.begin(options.fixedLimits.build), values, layout: layout, path: path,
                    renumbering: source, isCancelled: options.isCancelled)
            } catch let error as BuildError {
                throw OrderedStoreRows.explained(error, path)
            }
        }
        try file.connection.execute("BEGIN")
        return try InsertedRows(values, layout: layout, connection: file.connection, path: path)
    }

    /// Returns the file that stores the old keys of the objects of all sources.
    func keyBlocks() throws -> KeyBlocks {
        if let blocks { return blocks }
        do throws(BuildError) {
            let made = try KeyBlocks(beside: staged.path, options.fixedLimits.build)
            blocks = made
            return made
        } catch {
            throw OrderedStoreRows.explained(error, destination)
        }
    }

    /// Records the source of the objects that were written since the last call.
    func note(_ store: String, uuid: String, bases: [Int64], keys: KeyRenumbering?) {
        let writer = writer
        origins.append(
            ObjectOrigins(store: store, uuid: uuid, last: writer.highestKeys) { new, root in
                if let final = writer.rows.renumbering { return try final.oldKey(of: new, root: root) ?? new }
                return try keys.map { try $0.oldKey(of: new, root: root) ?? new } ?? new - bases[root]
            })
    }

    /// Completes the links, creates indexes and triggers, and closes the file.
    ///
    /// - Parameters:
    ///   - modelCache: the archived model that the store contains, from another store; nil for none.
    ///   - handedOut: the highest keys that were ever used, by the slot of the root entity.
    func finish(modelCache: [UInt8]?, handedOut: [Int64]) throws {
        do {
            try writer.finish()
            options.onCheckpoint?("links completed")
            options.onProgress?("indexing", nil, 0)
            try file.makeIndexes { index, _ in
                // Some objects violate a uniqueness constraint.
                guard options.keepsFaults else {
                    throw ConversionError(.notUnique(try duplicates(of: index)), path: destination)
                }
            }
            try file.setHighestKeys(zip(writer.highestKeys, handedOut).map { max($0, $1) })
            if let modelCache {
                try file.connection.execute("INSERT INTO Z_MODELCACHE VALUES (?)", [.blob(modelCache)])
            }
            try file.connection.execute("COMMIT")
            options.onCheckpoint?("indexes made")
            if file.isBuilt {
                staged.beginSynchronizing()
                let faults = try file.faults()
                guard faults.isEmpty else {
                    throw ConversionError(.notBuilt(faults.joined(separator: "; ")), path: destination)
                }
            }
            // Core Data has used a write-ahead log for its stores since 2013.
            try file.finish(
                journalMode: isWorking ? "delete" : options.pragmas.journalMode(isLogged: true),
                vacuums: options.vacuums)
        } catch let error as SQLiteError {
            throw StoreError(error, path: destination)
        }
    }

    /// Returns objects with equal values, by their URIs in the source stores.
    private func duplicates(of index: StoreIndex) throws -> [String] {
        let columns = index.columns.map { SQLiteIdentifier.quoted($0.name) }.joined(separator: ", ")
        let present = index.columns.map { SQLiteIdentifier.quoted($0.name) + " IS NOT NULL" }.joined(separator: " AND ")
        let table = SQLiteIdentifier.quoted(index.table)
        let groups = try file.connection.rows(
            "SELECT count(*), min(Z_PK), max(Z_PK), \(columns) FROM \(table) "
                + "WHERE \(present) GROUP BY \(columns) HAVING count(*) > 1 LIMIT 5")
        var result: [String] = []
        for row in groups {
            let values = row.dropFirst(3).map { String($0.literal.prefix(40)) }.joined(separator: ", ")
            let two = try [row[1], row[2]].map { key in
                let number = try file.connection.value("SELECT Z_ENT FROM \(table) WHERE Z_PK = ?", [key]).integer ?? 0
                return try origin(of: key.integer ?? 0, entity: number, table: index.table)
            }
            result.append(
                "\(index.table): \(row[0].integer ?? 0) objects have \(values), among them \(two[0]) and \(two[1])")
        }
        return result
    }

    /// Returns the URI of an object in its source store, and that store.
    private func origin(of key: Int64, entity number: Int64, table: String) throws -> String {
        let layout = file.newStore.layout
        guard let root = layout.tables.first(where: { $0.name == table })?.root,
            let origin = origins.first(where: { key <= $0.last[root] }),
            let entity = layout.model.entities.first(where: { Int64(layout.entityNumbers[$0.slot]) == number })
        else { return "p\(key)" }
        return try origin.text(of: key, entity: entity.name, root: root)
    }

    /// Closes the file, which stays where it is.
    func close() throws(StoreError) {
        // A connection with open statements cannot be closed.
        origins = []
        do throws(SQLiteError) {
            try file.connection.close()
        } catch {
            throw StoreError(error, path: destination)
        }
    }
}
