import KeyedArchives
import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import StoreMigration

/// SQL that makes stores of the benchmarks' model as Core Data does: its tables, indexes, entity numbers and metadata.
struct OrderStore {
    static let customerCount = 500
    static let tagCount = 1000

    let version: VersionedModel
    let layout: StoreLayout
    private let join: JoinTable
    private let orders: JoinTable.Side

    init(_ catalog: VersionCatalog, _ version: OrderModels.Version) throws {
        self.version = try catalog.versionedModel(try catalog.version(named: version.rawValue))
        layout = LayoutPrediction.layout(of: self.version.model)
        guard let slot = self.version.model.slot(named: "Order"),
            let tags = self.version.model.entities[slot].relationship(named: "tags"),
            let join = layout.joinTable(of: tags.key)
        else { throw BenchmarkError.cannotCreate(version.rawValue, reason: "the model lacks Order.tags") }
        self.join = join
        orders = join.side(of: tags.key)
    }

    /// The settings of a new file as Core Data makes it, without the journal, which is not needed while it is made.
    static let newFile = """
        .bail on
        PRAGMA page_size = 4096;
        PRAGMA auto_vacuum = INCREMENTAL;
        PRAGMA journal_mode = OFF;
        PRAGMA synchronous = OFF;

        """

    /// All tables of objects and links, empty.
    var tables: String {
        (layout.tables.map(\.createStatement) + layout.joinTables.map(\.createStatement)).map { $0 + ";\n" }.joined()
    }

    var indexes: String { layout.indexes().indexes.map { $0.createStatement + ";\n" }.joined() }

    var joinTableName: String { SQLiteIdentifier.bare(join.name) }

    /// The script for SQLite's shell that fills a new file with so many orders and as many links.
    func script(rows: Int) -> String {
        Self.newFile + "BEGIN;\n" + tables + customersAndTags
            + """
            WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < \(rows))
            INSERT INTO ZORDER (Z_PK, Z_ENT, Z_OPT, ZCUSTOMER, ZISPAID, ZPLACED, ZPRICE, ZPRIORITY, ZQUANTITY, ZRATIO,
                ZREFERENCE, ZSERIAL, ZTITLE, ZWEIGHT)
            SELECT n, \(number("Order")), 1, n * 7919 % \(Self.customerCount) + 1, n % 2,
                600000000 + n * 2654435761 % 31536000 + 0.25, n % 100000 / 100.0, n % 5,
                CASE WHEN n % 10 > 0 THEN n % 1000 END, n % 1000 / 8.0, randomblob(16), n * 1000003,
                'Order ' || n || ' of the usual goods', n * 0.75
            FROM i;
            WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < \(rows))
            INSERT INTO \(joinTableName) (\(orders.owner), \(orders.destination))
            SELECT (n + 1) / 2, n * 31 % \(Self.tagCount) + 1 FROM i ORDER BY 1, 2;

            """
            + indexes + bookkeeping(rows: rows) + "COMMIT;\nPRAGMA journal_mode = WAL;\n"
    }

    /// What two results must agree in, as one line; every column is read.
    func summary(titled title: String) -> String {
        let numbers = [
            "ZCUSTOMER", "ZISPAID", "ZPLACED", "ZPRICE", "ZPRIORITY", "ZQUANTITY", "ZRATIO", "ZSERIAL", "ZWEIGHT",
        ]
        let sums = numbers.map { "CAST(sum(\($0)) AS INTEGER)" }.joined(separator: ", ")
        return "SELECT count(*), sum(Z_PK), \(sums), sum(length(ZREFERENCE)), sum(length(\(title))), "
            + "(SELECT sum(\(orders.owner) * 31 + \(orders.destination)) FROM \(joinTableName)), "
            + "(SELECT group_concat(name || ':' || tbl_name) FROM (SELECT * FROM sqlite_schema "
            + "WHERE type = 'index' ORDER BY name)) FROM ZORDER;\n"
    }

    private func number(_ entity: String) -> Int {
        version.model.slot(named: entity).map { layout.entityNumbers[$0] } ?? 0
    }

    private var customersAndTags: String {
        [("ZCUSTOMER", "Customer", Self.customerCount), ("ZTAG", "Tag", Self.tagCount)].map { table, entity, count in
            """
            WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < \(count))
            INSERT INTO \(table) (Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT n, \(number(entity)), 1, '\(entity) ' || n FROM i;

            """
        }.joined()
    }

    /// docs/format/sqlite-store.md#bookkeeping-tables and docs/format/sqlite-store.md#metadata: entity numbers with the
    /// highest keys, and the metadata that name the version.
    private func bookkeeping(rows: Int) -> String {
        let maximumKeys = ["Customer": Self.customerCount, "Order": rows, "Tag": Self.tagCount]
        let records = version.model.entities.map { entity in
            let number = layout.entityNumbers[entity.slot]
            let maximumKey = maximumKeys[entity.name] ?? 0
            return "INSERT INTO Z_PRIMARYKEY VALUES (\(number), '\(entity.name)', 0, \(maximumKey));\n"
        }
        var metadata = StoreMetadata(uuid: "5B5A1C86-3C5D-4B1E-9C53-0D3B6B1C7A11")
        metadata.versionHashes = version.hashes
        metadata.entries[StoreMetadata.Key.versionHashesVersion] = .integer(3)
        metadata.entries[StoreMetadata.Key.versionIdentifiers] =
            .array(version.model.model.versionIdentifiers.map { .string($0) })
        metadata.entries[StoreMetadata.Key.versionHashesDigest] = .string(version.digest)
        metadata.entries[StoreMetadata.Key.versionChecksum] = .string(version.checksum)
        metadata.entries[StoreMetadata.Key.storeType] = .string("SQLite")
        metadata.entries[StoreMetadata.Key.frameworkVersion] = .integer(1344)
        metadata.entries[StoreMetadata.Key.autoVacuumLevel] = .string("2")
        let propertyList = SQLiteValue.blob(BinaryPropertyListWriter.bytes(for: .dictionary(metadata.entries)))
        return """
            CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
            CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
            CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB);
            \(records.joined())\
            INSERT INTO Z_METADATA VALUES (1, '\(metadata.uuid)', \(propertyList.literal));

            """
    }
}
