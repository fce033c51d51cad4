import KeyedArchives
import ManagedObjectModels
public import PersistentStores
public import SQLiteAccess

/// The metadata and contents of a store, and the model version with which it was made.
public struct StoreInspection: Sendable, Codable {
    /// An entity of the store.
    public struct Entity: Sendable, Codable {
        /// The entity's number, `Z_ENT`.
        public let number: Int
        /// The entity's name.
        public let name: String
        /// The name of the superentity; nil if there is none.
        public let parent: String?
        /// The table with its rows; nil if there is none.
        public let table: String?
        /// The number of its rows, without those of its subentities; nil if there is no table.
        public let rows: Int64?
        /// The highest primary key that was ever used, `Z_MAX`.
        public let maximumKey: Int64
        /// The version hash in the store's metadata, 64 hexadecimal digits; nil if there is none.
        public let versionHash: String?
    }

    /// The version with which the store was made, or the most similar version.
    public struct Match: Sendable, Codable {
        /// The version with the store's hashes; nil if there is none.
        public let version: String?
        /// The path of this version; nil if there is none.
        public let path: String?
        /// The configuration whose entities the store contains; nil if it contains all.
        public let configuration: String?
        /// The paths of other versions with the same hashes.
        public let others: [String]
        /// The version that shares the most entity hashes with the store; nil if a version matches, or if no hash is
        /// shared.
        public let nearest: String?
        /// The differences between the store and the most similar version, with a clause for each entity.
        public let differences: [String]
        /// The Swift sources that declare the most similar version; nil if it is not declared by Swift sources.
        public var sources: String?
    }

    /// The path of the store.
    public let path: String
    /// The type of the store, such as `SQLite`.
    public let type: String
    /// The store's UUID.
    public let uuid: String
    /// The size of the main file, in bytes.
    public let fileSize: Int64
    /// The size of the write-ahead log, in bytes; 0 if there is none.
    public let writeAheadLogSize: Int64
    /// The size of all files of external data, in bytes.
    public let externalDataSize: Int64
    /// The page size in bytes.
    public let pageSize: Int64
    /// The journal mode, such as `wal`.
    public let journalMode: String
    /// The version of Core Data that wrote the store; nil if the metadata do not contain it.
    public let frameworkVersion: Int64?
    /// The identifiers that the model's developer has given to the version.
    public let versionIdentifiers: [String]
    /// `NSStoreModelVersionHashesDigest`; nil if the store has none.
    public let digest: String?
    /// `NSStoreModelVersionChecksumKey`; nil if the store has none.
    public let checksum: String?
    /// The keys of the metadata that do not belong to Core Data.
    public let customMetadataKeys: [String]
    /// The entities, sorted by number.
    public let entities: [Entity]
    /// The names of tables that do not belong to Core Data.
    public let unknownTables: [String]
    /// Whether the store has persistent history.
    public let hasPersistentHistory: Bool
    /// Whether the store contains its model.
    public let hasModelCache: Bool
    /// The version with which the store was made; nil if no versions were given.
    public let match: Match?

    /// The model with the store's hashes, either a known one or the one in the store; nil if there is none.
    public let model: ModelOutline?

    /// Inspects a store, and counts its rows.
    /// - Throws: `SQLiteError` if a table cannot be read.
    public init(of store: SQLiteStore, match: Match?, model: ModelOutline? = nil) throws(SQLiteError) {
        let connection = store.connection
        path = store.files.path
        type = store.metadata.storeType ?? "SQLite"
        uuid = store.metadata.uuid
        fileSize = FileSystem.size(store.files.path) ?? 0
        writeAheadLogSize = FileSystem.size(store.files.writeAheadLog) ?? 0
        externalDataSize = store.files.externalDataSize
        pageSize = try connection.value("PRAGMA page_size").integer ?? 0
        let usesLog = (try? DatabaseFile(path: store.files.path))?.usesWriteAheadLog ?? false
        journalMode = usesLog ? "wal" : "rollback"
        frameworkVersion = store.metadata.frameworkVersion
        versionIdentifiers = store.metadata.versionIdentifiers
        digest = store.metadata.entries[StoreMetadata.Key.versionHashesDigest]?.string
        checksum = store.metadata.entries[StoreMetadata.Key.versionChecksum]?.string
        customMetadataKeys = store.metadata.customKeys
        let hashes = store.metadata.versionHashes
        let byNumber = Dictionary(store.entityRecords.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
        var known: Set<String> = ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"]
        var counts: [String: [Int: Int64]] = [:]
        var entities: [Entity] = []
        for record in store.entityRecords {
            var root = record
            // A chain of superentities that is longer than the number of entities contains a cycle.
            for _ in 0..<byNumber.count {
                guard let parent = byNumber[root.superentityNumber] else { break }
                root = parent
            }
            // The names of persistent history's tables begin with A.
            let table = store.schema.table(named: (record.isSystem ? "A" : "Z") + root.name.uppercased())
            if let table, counts[table.name] == nil, table.hasColumn("Z_ENT") {
                known.insert(table.name.uppercased())
                var rows: [Int: Int64] = [:]
                // Only existing numbers are counted, because a damaged table may have a different number in every row.
                let statement = try connection.prepare(
                    "SELECT Z_ENT, count(*) FROM \(SQLiteIdentifier.quoted(table.name)) "
                        + "WHERE Z_ENT IN (SELECT Z_ENT FROM Z_PRIMARYKEY) GROUP BY Z_ENT")
                while try statement.step() { rows[Int(statement.integer(0))] = statement.integer(1) }
                counts[table.name] = rows
            }
            entities.append(
                Entity(
                    number: record.number, name: record.name, parent: byNumber[record.superentityNumber]?.name,
                    table: table?.name, rows: table.map { counts[$0.name]?[record.number] ?? 0 },
                    maximumKey: record.maximumKey,
                    versionHash: hashes[record.name].map { Self.hex($0) }))
        }
        self.entities = entities
        unknownTables = store.schema.tables.map(\.name).filter {
            let name = $0.uppercased()
            // Names such as Z_4TASK belong to join tables.
            let isJoin = name.hasPrefix("Z_") && name.dropFirst(2).first?.isNumber == true
            return !known.contains(name) && !isJoin && !name.hasPrefix("SQLITE_")
        }
        hasPersistentHistory = store.schema.table(named: "ATRANSACTION") != nil
        hasModelCache =
            store.schema.table(named: "Z_MODELCACHE") != nil
            ? try connection.value("SELECT 1 FROM Z_MODELCACHE WHERE length(Z_CONTENT) > 0 LIMIT 1") != .null : false
        self.match = match
        self.model = model
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        VersionHash(bytes: bytes)?.hex ?? "\(bytes.count) bytes"
    }

    /// Finds the version of a catalog with which a store was made.
    /// - Throws: currently nothing.
    public static func match(_ store: SQLiteStore, in catalog: VersionCatalog) throws -> Match {
        if let match = catalog.match(store.metadata) {
            return Match(
                version: match.version.name, path: match.version.path, configuration: match.configuration,
                others: match.others.map(\.path), nearest: nil, differences: [])
        }
        let unknown = catalog.unknownVersion(store)
        return Match(
            version: nil, path: nil, configuration: nil, others: [],
            nearest: unknown.isUnrelated ? nil : unknown.nearest,
            differences: unknown.isUnrelated ? [] : unknown.differences.map(\.description),
            sources: unknown.isUnrelated ? nil : unknown.sources)
    }
}
