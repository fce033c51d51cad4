import PersistentStores
import SQLiteAccess

/// Persistent history as Core Data keeps it (docs/format/sqlite-store.md#persistent-history).
enum HistoryTables {
    private static let schema = """
        CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER, \
        ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB );
        CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHORTS INTEGER, \
        ZBUNDLEIDTS INTEGER, ZCONTEXTNAMETS INTEGER, ZPROCESSIDTS INTEGER, ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR, \
        ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR, ZQUERYGEN BLOB );
        CREATE TABLE ATRANSACTIONSTRING ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR );
        CREATE INDEX ACHANGE_ZTRANSACTIONID_INDEX ON ACHANGE (ZTRANSACTIONID);
        CREATE INDEX ATRANSACTION_ZAUTHORTS_INDEX ON ATRANSACTION (ZAUTHORTS);
        CREATE INDEX Z_TRANSACTION_TransactionTimestampIndex ON ATRANSACTION (ZTIMESTAMP COLLATE BINARY ASC);
        CREATE UNIQUE INDEX Z_TRANSACTIONSTRING_UNIQUE_NAME ON ATRANSACTIONSTRING (ZNAME COLLATE BINARY ASC);
        INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 0), (16002, 'TRANSACTION', 0, 0), \
        (16003, 'TRANSACTIONSTRING', 0, 0);
        """

    /// Makes the tables, without a row.
    static func create(on connection: Connection) throws {
        try connection.execute(schema)
    }

    /// Makes the tables, with one transaction that inserted every object.
    static func write(_ content: StoreContent, layout: StoreLayout, on connection: Connection) throws {
        try create(on: connection)
        try connection.execute(
            """
            INSERT INTO ATRANSACTIONSTRING VALUES (1, 16003, NULL, 'app');
            INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZBUNDLEIDTS, ZTIMESTAMP) VALUES (1, 16002, 1, 700000000.5);
            """)
        for (index, object) in content.objects.enumerated() {
            try connection.execute(
                "INSERT INTO ACHANGE VALUES (?1, 16001, NULL, 0, ?2, ?3, 1, NULL)",
                [
                    .integer(Int64(index + 1)), .integer(Int64(layout.entityNumbers[object.slot])),
                    .integer(object.key),
                ])
        }
        for (entity, count) in [(16001, content.objects.count), (16002, 1), (16003, 1)] {
            try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(count) WHERE Z_ENT = \(entity)")
        }
    }
}
