import GeneratedStores
import KeyedArchives
import ManagedObjectModels
import MappingModels
import PersistentStores
import SQLiteAccess
import StoreMigration
import TestSupport

/// A store in a directory of its own, with two versions of its model.
final class TestStore {
    let directory: TemporaryDirectory
    let path: String
    let source: VersionedModel
    let destination: VersionedModel

    static let uuid = "11111111-2222-3333-4444-555555555555"

    /// - Parameters:
    ///   - rows: SQL that fills the tables of the old version.
    ///   - usesLog: whether the store is in WAL mode, as Core Data's are.
    ///   - encoding: that of the store's texts.
    ///   - composites: of both versions.
    init(
        from old: [EntityDescription], to new: [EntityDescription], rows: String = "", usesLog: Bool = false,
        encoding: DatabaseFile.TextEncoding = .utf8, name: String = "Store.sqlite",
        composites: [CompositeDescription] = []
    ) throws {
        directory = try TemporaryDirectory()
        path = directory.file(name)
        source = VersionedModel(
            name: "old", path: "old",
            model: try ResolvedModel(ManagedObjectModel(entities: old, composites: composites)))
        destination = VersionedModel(
            name: "new", path: "new",
            model: try ResolvedModel(ManagedObjectModel(entities: new, composites: composites)))
        try Self.create(path, of: source, rows: rows, usesLog: usesLog, encoding)
    }

    /// A store with objects of a test's own.
    init(
        from old: ManagedObjectModel, to new: ManagedObjectModel, writer: StoreWriter,
        _ content: (ResolvedModel) -> StoreContent
    ) throws {
        directory = try TemporaryDirectory()
        path = directory.file("Store.sqlite")
        source = VersionedModel(name: "old", path: "old", model: try ResolvedModel(old))
        destination = VersionedModel(name: "new", path: "new", model: try ResolvedModel(new))
        try writer.write(content(source.model), of: source.model, to: path)
    }

    /// A store with random objects.
    /// - Parameters:
    ///   - seed: that of the objects.
    ///   - most: how many objects an entity has at the most.
    convenience init(
        from old: ManagedObjectModel, to new: ManagedObjectModel, writer: StoreWriter, content seed: UInt64,
        upTo most: Int
    ) throws {
        try self.init(from: old, to: new, writer: writer) { model in
            var content = RandomContent(model: model, seed: seed)
            return content.content(upTo: most)
        }
    }

    /// The mapping that is inferred between the versions.
    var inferred: InferredMapping {
        InferredMapping(
            ModelCorrespondence(source: source.model, destination: destination.model),
            sourceHashes: source.hashes, destinationHashes: destination.hashes)
    }

    static func create(
        _ path: String, of version: VersionedModel, rows: String, usesLog: Bool,
        _ encoding: DatabaseFile.TextEncoding = .utf8
    ) throws {
        let layout = LayoutPrediction.layout(of: version.model)
        var metadata = StoreMetadata(uuid: uuid)
        metadata.versionHashes = version.hashes
        metadata.entries[StoreMetadata.Key.storeType] = .string("SQLite")
        let connection = try Connection(path: path, access: .create)
        try connection.execute("PRAGMA encoding = '\(encoding.name)'")
        _ = try connection.value("PRAGMA journal_mode = \(usesLog ? "WAL" : "DELETE")")
        try registerCoreDataFunctions(connection)
        try connection.execute(
            """
            CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
            CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
            CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB);
            """)
        for table in layout.tables { try connection.execute(table.createStatement) }
        for table in layout.joinTables { try connection.execute(table.createStatement) }
        for index in layout.indexes().indexes { try connection.execute(index.createStatement) }
        try connection.execute(rows)
        for entity in version.model.entities {
            let parent = entity.superentity.map { $0 + 1 } ?? 0
            let table = SQLiteIdentifier.quoted(LayoutPrediction.tableName(ofRoot: version.model.entities[entity.root]))
            let maximum = entity.superentity == nil ? "(SELECT ifnull(max(Z_PK), 0) FROM \(table))" : "0"
            try connection.execute(
                "INSERT INTO Z_PRIMARYKEY VALUES (\(entity.number), \(SQLiteValue.string(entity.name).literal), "
                    + "\(parent), \(maximum))")
        }
        try connection.execute(
            "INSERT INTO Z_METADATA VALUES (1, ?1, ?2)",
            [.string(uuid), .blob(BinaryPropertyListWriter.bytes(for: .dictionary(metadata.entries)))])
        try connection.close()
    }

    // MARK: - Migrating

    func plan(_ placement: MigrationPlacement = .replace(backup: nil), isThorough: Bool = false) throws -> MigrationPlan
    {
        try MigrationPlanner(
            store: try SQLiteStore(path: path), from: source, to: destination,
            options: .init(placement: placement, isThorough: isThorough)
        ).plan()
    }

    @discardableResult
    func migrate(
        _ placement: MigrationPlacement = .replace(backup: nil), options: MigrationOptions = MigrationOptions()
    ) throws -> MigrationReport {
        let fingerprint = StoreFingerprint(of: StoreFiles(followingLinks: path), isSettled: true)
        return try MigrationManager(options: options).execute(try plan(placement), unchangedSince: fingerprint)
    }

    /// Migrates by a mapping model, which is completed as Xcode's compiler does.
    @discardableResult
    func migrate(
        by mapping: MappingModel, _ policies: PolicyRegistry, options: MigrationOptions
    ) throws -> MigrationReport {
        let mapping = MappingCompletion(
            source: source.model, destination: destination.model, sourceHashes: source.hashes,
            destinationHashes: destination.hashes
        ).completed(mapping)
        let fingerprint = StoreFingerprint(of: StoreFiles(followingLinks: path), isSettled: true)
        let plan = try MigrationPlanner(
            store: SQLiteStore(path: path), from: source, to: destination,
            options: .init(mapping: mapping, policies: policies)
        ).plan()
        return try MigrationManager(options: options).execute(plan, unchangedSince: fingerprint)
    }

    /// The placements that leave the result at the store's own path.
    static let placements: [MigrationPlacement] = [.replace(backup: nil), .inPlace(backup: nil)]

    // MARK: - Looking

    /// All rows of a query, columns separated by `|` as the sqlite3 tool prints them; NULL is empty.
    func rows(_ query: String, at path: String? = nil) throws -> [String] {
        let connection = try Connection(path: path ?? self.path, access: .readOnly)
        defer { try? connection.close() }
        return try connection.rows(query).map { row in
            row.map { value in
                switch value {
                case .null: ""
                case .integer(let number): String(number)
                case .real(let number): String(number)
                case .text(let bytes): String(decoding: bytes, as: UTF8.self)
                case .blob: value.literal
                }
            }.joined(separator: "|")
        }
    }

    /// Runs SQL on the store as another program would.
    func execute(_ sql: String) throws {
        let connection = try Connection(path: path, access: .readWrite)
        defer { try? connection.close() }
        try registerCoreDataFunctions(connection)
        try connection.execute(sql)
    }

    func exists(_ name: String) -> Bool { FileSystem.exists(directory.file(name)) }
}
