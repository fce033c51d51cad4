import KeyedArchives
public import ManagedObjectModels
public import SQLiteAccess

/// A description of a new SQLite store: its settings, tables, indexes and bookkeeping (docs/format/sqlite-store.md).
public struct NewStore {
    /// The tables and columns that the store gets, and its model.
    public let layout: StoreLayout
    /// The metadata that the store gets, with the model's version hashes.
    public var metadata: StoreMetadata

    /// The names of the entities whose objects the store may hold, if it belongs to one configuration; nil for all. The
    /// store still has the tables, entity numbers and hashes of the whole model (docs/format/sqlite-store.md#metadata).
    public var objectEntities: Set<String>?

    /// Returns whether the store may hold objects of an entity.
    public func holdsObjects(of entity: String) -> Bool { objectEntities?.contains(entity) ?? true }

    /// The framework version that a new store states: iOS 17's, the newest version whose stores are fully documented.
    public static let frameworkVersion: Int64 = 1344

    /// Describes a new store of a model.
    /// - Parameters:
    ///   - model: the model, with inherited properties resolved.
    ///   - hashes: the version hash of each entity, 32 bytes.
    ///   - digest: the digest over all version hashes, as metadata have it.
    ///   - checksum: the checksum of the model version, as metadata have it.
    ///   - uuid: the store's UUID in upper case.
    public init(
        model: ResolvedModel, hashes: [String: [UInt8]], digest: String, checksum: String, uuid: String
    ) {
        layout = LayoutPrediction.layout(of: model)
        var metadata = StoreMetadata(uuid: uuid)
        metadata.entries[StoreMetadata.Key.storeType] = .string("SQLite")
        metadata.entries[StoreMetadata.Key.frameworkVersion] = .integer(Self.frameworkVersion)
        metadata.entries[StoreMetadata.Key.autoVacuumLevel] = .string("2")
        metadata.entries[StoreMetadata.Key.versionHashesVersion] = .integer(3)
        metadata.entries[StoreMetadata.Key.versionIdentifiers] =
            .array(model.model.versionIdentifiers.map { .string($0) })
        metadata.entries[StoreMetadata.Key.versionHashesDigest] = .string(digest)
        metadata.entries[StoreMetadata.Key.versionChecksum] = .string(checksum)
        metadata.versionHashes = hashes
        self.metadata = metadata
    }

    /// Turns the empty file into a store without rows or indexes; call it before any other statement on the connection.
    ///
    /// - Parameters:
    ///   - connection: a connection to an empty file, or to an in-memory database.
    ///   - pragmas: values for `page_size` and `auto_vacuum` that replace the defaults, 4096 and INCREMENTAL.
    /// - Throws: `SQLiteError` if a table cannot be made.
    public func createTables(_ connection: Connection, _ pragmas: StorePragmas = .init()) throws(SQLiteError) {
        for (pragma, value) in [(StorePragma.pageSize, "4096"), (.autoVacuum, "INCREMENTAL")] {
            try connection.execute("PRAGMA \(pragma.rawValue) = \(pragmas[pragma] ?? value)")
        }
        for table in layout.tables { try connection.execute(table.createStatement) }
        for table in layout.joinTables { try connection.execute(table.createStatement) }
        for (_, sql) in BookkeepingTables.createStatements { try connection.execute(sql) }
        for entity in layout.model.entities {
            try connection.execute(
                "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, 0)",
                [
                    .integer(Int64(layout.entityNumbers[entity.slot])), .string(entity.name),
                    .integer(Int64(entity.superentity.map { layout.entityNumbers[$0] } ?? 0)),
                ])
        }
        try connection.execute(
            "INSERT INTO Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES (1, ?, ?)",
            [.string(metadata.uuid), .blob(BinaryPropertyListWriter.bytes(for: .dictionary(metadata.entries)))])
    }

    /// Fills derived attributes and creates their triggers; call it after the rows have been inserted.
    /// - Throws: `SQLiteError` if the values cannot be computed, or a trigger cannot be made.
    public func createTriggers(_ connection: Connection) throws(SQLiteError) {
        let triggers = DerivedAttributeTriggers(layout: layout)
        for (_, statement) in triggers.recomputations.sorted(by: { $0.value < $1.value }) {
            try connection.execute(statement)
        }
        try DerivedValues(layout: layout).compute(on: connection)
        for statement in triggers.statements { try connection.execute(statement) }
    }
}
