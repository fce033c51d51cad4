import PersistentStores
import SQLiteAccess

/// Appends what an import changes to a store's persistent history (docs/format/sqlite-store.md#persistent-history): one
/// transaction of the author "ferry".
///
/// Temporary triggers note the objects; each is one change, however often it is written. Which properties an update
/// changed is not recorded: how the framework encodes it is not established, and without it all count as changed.
final class HistoryWriter {
    private let connection: Connection
    private let triggers: [String]

    private static let (changeEntity, transactionEntity, stringEntity) = (16001, 16002, 16003)

    /// nil if the store keeps no history.
    init?(_ connection: Connection, layout: StoreLayout) throws(SQLiteError) {
        let tables = try connection.rows(
            "SELECT name FROM main.sqlite_master WHERE name IN ('ACHANGE', 'ATRANSACTION', 'ATRANSACTIONSTRING')")
        guard tables.count == 3 else { return nil }
        self.connection = connection
        var names: [String] = []
        try connection.execute(
            "CREATE TEMP TABLE ferry_changed (entity INTEGER, object INTEGER, kind INTEGER, PRIMARY KEY (entity, object)) "
                + "WITHOUT ROWID")
        for table in layout.tables {
            // An object that was made and deleted has never been there.
            let actions = [
                ("INSERT", "INSERT OR IGNORE INTO ferry_changed VALUES (NEW.Z_ENT, NEW.Z_PK, 0)"),
                ("UPDATE", "INSERT OR IGNORE INTO ferry_changed VALUES (NEW.Z_ENT, NEW.Z_PK, 1)"),
                (
                    "DELETE",
                    "INSERT INTO ferry_changed VALUES (OLD.Z_ENT, OLD.Z_PK, 2) "
                        + "ON CONFLICT DO UPDATE SET kind = iif(kind = 0, 3, 2); "
                        + "DELETE FROM ferry_changed WHERE entity = OLD.Z_ENT AND object = OLD.Z_PK AND kind = 3"
                ),
            ]
            for (event, action) in actions {
                let name = "ferry_history_\(names.count + 1)"
                try connection.execute(
                    "CREATE TEMP TRIGGER \(name) AFTER \(event) ON main.\(SQLiteIdentifier.quoted(table.name)) BEGIN "
                        + "\(action); END")
                names.append(name)
            }
        }
        triggers = names
    }

    /// Writes the last transaction, and watches no more.
    func finish() throws(SQLiteError) {
        for name in triggers { try connection.execute("DROP TRIGGER temp.\(name)") }
        try flush()
        try connection.execute("DROP TABLE temp.ferry_changed")
    }

    /// Writes the transaction; without effect where nothing changed.
    func flush() throws(SQLiteError) {
        guard try connection.value("SELECT 1 FROM temp.ferry_changed LIMIT 1") != .null else { return }
        if try connection.value("SELECT 1 FROM ATRANSACTIONSTRING WHERE ZNAME = 'ferry'") == .null {
            try connection.execute(
                "INSERT INTO ATRANSACTIONSTRING (Z_PK, Z_ENT, ZNAME) "
                    + "SELECT ifnull(max(Z_PK), 0) + 1, \(Self.stringEntity), 'ferry' FROM ATRANSACTIONSTRING")
        }
        try connection.execute(
            "INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZAUTHORTS, ZBUNDLEIDTS, ZPROCESSIDTS, ZTIMESTAMP) "
                + "SELECT (SELECT ifnull(max(Z_PK), 0) + 1 FROM ATRANSACTION), \(Self.transactionEntity), "
                + "Z_PK, Z_PK, Z_PK, ? FROM ATRANSACTIONSTRING WHERE ZNAME = 'ferry'",
            [.real(ReferenceDate.now)])
        try connection.execute(
            "INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID) "
                + "SELECT (SELECT ifnull(max(Z_PK), 0) FROM ACHANGE) + row_number() OVER (ORDER BY kind, entity, object), "
                + "\(Self.changeEntity), kind, entity, object, (SELECT max(Z_PK) FROM ATRANSACTION) FROM ferry_changed")
        for (entity, table) in [
            (Self.changeEntity, "ACHANGE"), (Self.transactionEntity, "ATRANSACTION"),
            (Self.stringEntity, "ATRANSACTIONSTRING"),
        ] {
            try connection.execute(
                "UPDATE Z_PRIMARYKEY SET Z_MAX = (SELECT max(Z_PK) FROM \(table)) WHERE Z_ENT = \(entity)")
        }
        try connection.execute("DELETE FROM temp.ferry_changed")
    }
}
