import KeyedArchives
public import ManagedObjectModels
public import PersistentStores
public import SQLiteAccess
import TestSupport

/// Writes stores as Core Data would, or as it left them after a long life.
public struct StoreWriter {
    public enum Journal: Sendable, CaseIterable {
        case rollback
        /// A write-ahead log, folded into the main file.
        case log
        /// A write-ahead log that holds most of the store, as an app that was killed leaves it.
        case openLog
    }

    public var journal = Journal.rollback
    public var pageSize = 4096
    public var encoding = DatabaseFile.TextEncoding.utf8
    public var hasModelCache = true
    public var uuid = "C0FFEE00-1234-4ABC-8DEF-0123456789AB"

    /// Shuffles the columns of the entity tables, as migrations in place do.
    public var columnSeed: UInt64?

    /// Uniqueness constraints as part of CREATE TABLE, as frameworks before 2016 wrote them.
    public var hasInlineConstraints = false

    /// Index names of older frameworks, and some that are not there.
    public var hasOldIndexes = false

    /// Names the join tables of a relationship within one entity from the other side.
    public var swapsReflexiveJoins = false

    /// Where data of at least that many bytes go to files; smaller ones stay inline.
    public var externalThreshold = 100

    /// SQL that runs at the end: tables, views, triggers of somebody else.
    public var additions: [String] = []

    /// Metadata of an app.
    public var customMetadata: [String: String] = [:]

    /// Persistent history with one transaction that inserted every object.
    public var hasHistory = false

    public init() {}

    /// Writes a store of a model; the file must not exist.
    public func write(_ content: StoreContent, of model: ResolvedModel, to path: String) throws {
        let connection = try Connection(path: path, access: .create)
        try registerCoreDataFunctions(connection)
        // What is on the disk does not matter to the tests, only what is in the files.
        try connection.execute(
            "PRAGMA page_size = \(pageSize); PRAGMA encoding = '\(encoding.name)'; PRAGMA auto_vacuum = 2; "
                + "PRAGMA synchronous = OFF")
        if journal != .rollback { _ = try connection.value("PRAGMA journal_mode = WAL") }
        try connection.execute("BEGIN")
        let layout = self.layout(of: model)
        let rows = StoredRows(layout: layout, externalThreshold: externalThreshold, storePath: path)
        try createTables(layout, on: connection)
        try rows.insert(content, on: connection)
        try createIndexes(layout, on: connection)
        for trigger in DerivedAttributeTriggers(layout: layout).statements { try connection.execute(trigger) }
        for (_, statement) in DerivedAttributeTriggers(layout: layout).recomputations.sorted(by: { $0.value < $1.value }
        ) {
            try connection.execute(statement)
        }
        try writeBookkeeping(content, layout: layout, on: connection)
        if hasHistory { try HistoryTables.write(content, layout: layout, on: connection) }
        for statement in additions { try connection.execute(statement) }
        try connection.execute("COMMIT")
        connection.setCheckpointOnClose(journal != .openLog)
        try connection.close()
    }

    /// The layout that the store gets.
    public func layout(of model: ResolvedModel) -> StoreLayout {
        let predicted = LayoutPrediction.layout(of: model)
        let tables = predicted.tables.map { table -> EntityTable in
            guard let columnSeed else { return table }
            var random = RandomNumbers(seed: columnSeed &+ UInt64(table.root))
            let columns = Array(table.columns.prefix(3)) + table.columns.dropFirst(3).shuffled(using: &random)
            return EntityTable(name: table.name, root: table.root, columns: columns)
        }
        let joins = predicted.joinTables.map { join in
            let isReflexive = join.relationship.owner == join.inverse.owner && !join.isSelfInverse
            return isReflexive && swapsReflexiveJoins ? swapped(join, model) : join
        }
        return StoreLayout(model: model, entityNumbers: predicted.entityNumbers, tables: tables, joinTables: joins)
    }

    private func swapped(_ join: JoinTable, _ model: ResolvedModel) -> JoinTable {
        let number = model.entities[join.inverse.owner].number
        return JoinTable(
            name: "Z_\(number)\(join.inverse.name.uppercased())", relationship: join.inverse,
            inverse: join.relationship,
            ownerColumn: join.destinationColumn, destinationColumn: join.ownerColumn,
            orderColumn: join.inverseOrderColumn, inverseOrderColumn: join.orderColumn)
    }

    private func createTables(_ layout: StoreLayout, on connection: Connection) throws {
        for table in layout.tables {
            var statement = table.createStatement
            if hasInlineConstraints {
                let constraints = layout.indexes().indexes.filter { $0.isUnique && $0.table == table.name }.map {
                    index in
                    let names = index.columns.map { SQLiteIdentifier.bare($0.name) }
                    return
                        ", CONSTRAINT \(SQLiteIdentifier.quoted(index.name)) UNIQUE (\(names.joined(separator: ", ")))"
                }
                statement = String(statement.dropLast(2)) + constraints.joined() + ")"
            }
            try connection.execute(statement)
        }
        for table in layout.joinTables { try connection.execute(table.createStatement) }
    }

    private func createIndexes(_ layout: StoreLayout, on connection: Connection) throws {
        for (number, index) in layout.indexes().indexes.enumerated() {
            if hasInlineConstraints && index.isUnique { continue }
            if hasOldIndexes && number % 3 == 1 && !index.isUnique { continue }
            let isRenamed = hasOldIndexes && number % 3 == 2
            try connection.execute(
                StoreIndex(
                    name: isRenamed ? "Z_99\(index.name)" : index.name, table: index.table, isUnique: index.isUnique,
                    columns: index.columns
                ).createStatement)
        }
    }

    private func writeBookkeeping(_ content: StoreContent, layout: StoreLayout, on connection: Connection) throws {
        try connection.execute(
            """
            CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
            CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
            """)
        if hasModelCache {
            try connection.execute(
                "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB); INSERT INTO Z_MODELCACHE VALUES (X'0300')")
        }
        for entity in layout.model.entities {
            let keys = content.objects.filter { layout.model.entities[$0.slot].root == entity.slot }.map(\.key)
            try connection.execute(
                "INSERT INTO Z_PRIMARYKEY VALUES (?1, ?2, ?3, ?4)",
                [
                    .integer(Int64(entity.number)), .string(entity.name),
                    .integer(Int64(entity.superentity.map { layout.model.entities[$0].number } ?? 0)),
                    .integer(entity.superentity == nil ? keys.max() ?? 0 : 0),
                ])
        }
        try connection.execute(
            "INSERT INTO Z_METADATA VALUES (1, ?1, ?2)",
            [
                .string(uuid),
                .blob(BinaryPropertyListWriter.bytes(for: .dictionary(metadata(of: layout.model).entries))),
            ])
    }

    private func metadata(of model: ResolvedModel) -> StoreMetadata {
        let hashes = ModelHashes.hashes(of: model)
        var metadata = StoreMetadata(uuid: uuid)
        metadata.versionHashes = hashes.mapValues(\.bytes)
        metadata.entries[StoreMetadata.Key.versionHashesVersion] = .integer(3)
        metadata.entries[StoreMetadata.Key.versionIdentifiers] = .array([.string("")])
        metadata.entries[StoreMetadata.Key.versionHashesDigest] = .string(ModelHashes.digest(of: hashes))
        metadata.entries[StoreMetadata.Key.versionChecksum] = .string(ModelHashes.checksum(of: hashes))
        metadata.entries[StoreMetadata.Key.frameworkVersion] = .integer(1344)
        metadata.entries[StoreMetadata.Key.storeType] = .string("SQLite")
        metadata.entries[StoreMetadata.Key.autoVacuumLevel] = .string("2")
        for (key, value) in customMetadata { metadata.entries[key] = .string(value) }
        return metadata
    }
}
