import KeyedArchives
import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import StoreMigration

/// SQL that makes stores of contacts as Core Data does.
struct ContactStore {
    static let cityCount = 5000

    let version: VersionedModel
    let layout: StoreLayout

    init(_ catalog: VersionCatalog, _ version: ContactModels.Version) throws {
        self.version = try catalog.versionedModel(try catalog.version(named: version.rawValue))
        layout = LayoutPrediction.layout(of: self.version.model)
    }

    var tables: String { layout.tables.map { $0.createStatement + ";\n" }.joined() }

    var indexes: String { layout.indexes().indexes.map { $0.createStatement + ";\n" }.joined() }

    func number(_ entity: String) -> Int {
        version.model.slot(named: entity).map { layout.entityNumbers[$0] } ?? 0
    }

    /// The script for SQLite's shell that fills a new file with so many contacts.
    func script(rows: Int) -> String {
        var metadata = StoreMetadata(uuid: "0E0F8B6E-5B1D-4C8E-9C35-7F4B9C0B6A55")
        metadata.versionHashes = version.hashes
        metadata.entries[StoreMetadata.Key.versionHashesVersion] = .integer(3)
        metadata.entries[StoreMetadata.Key.storeType] = .string("SQLite")
        let propertyList = SQLiteValue.blob(BinaryPropertyListWriter.bytes(for: .dictionary(metadata.entries)))
        return OrderStore.newFile + "BEGIN;\n" + tables + """
            WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < \(rows))
            INSERT INTO ZCONTACT (Z_PK, Z_ENT, Z_OPT, ZAMOUNT, ZCITY, ZCODE, ZCREATED, ZFIRSTNAME, ZISACTIVE, ZLASTNAME,
                ZNUMBER, ZREFERENCE)
            SELECT n, \(number("Contact")), 1, n % 1000 / 8.0, 'City ' || (n * 7919 % \(Self.cityCount)), n * 31 % 1000000,
                600000000 + n % 31536000 + 0.25, 'First' || n % 997, n % 2, 'Last' || n % 9973, n * 1000003, randomblob(16)
            FROM i;
            CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
            CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
            CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB);
            INSERT INTO Z_PRIMARYKEY VALUES (\(number("Contact")), 'Contact', 0, \(rows));
            INSERT INTO Z_METADATA VALUES (1, '\(metadata.uuid)', \(propertyList.literal));
            COMMIT;

            """
    }
}
