public import SQLiteAccess

/// Appends what is changed to a store's persistent history (docs/format/sqlite-store.md#persistent-history): one
/// transaction of the author "ferry".
///
/// Which properties an update changed is not recorded: how the framework encodes it is not established, and without it
/// all count as changed.
public final class HistoryWriter {
    private let connection: Connection
    private let changes: ObjectChanges

    private static let (changeEntity, transactionEntity, stringEntity) = (16001, 16002, 16003)

    /// Watches all that the connection changes from here on; nil if the store keeps no history.
    /// - Throws: `SQLiteError` if the store cannot be read, or the temporary tables cannot be made.
    public convenience init?(_ connection: Connection, layout: StoreLayout) throws(SQLiteError) {
        guard try Self.isKept(in: connection) else { return nil }
        self.init(try ObjectChanges(connection, layout: layout))
    }

    /// Writes what others watch; the store must keep history.
    public init(_ changes: ObjectChanges) {
        self.changes = changes
        connection = changes.connection
    }

    /// Whether a store keeps history.
    /// - Throws: `SQLiteError` if the store cannot be read.
    public static func isKept(in connection: Connection) throws(SQLiteError) -> Bool {
        try connection.rows(
            "SELECT name FROM main.sqlite_master WHERE name IN ('ACHANGE', 'ATRANSACTION', 'ATRANSACTIONSTRING')"
        ).count == 3
    }

    /// Writes the last transaction, and watches no more.
    /// - Throws: `SQLiteError` if the store cannot be written.
    public func finish() throws(SQLiteError) {
        try changes.stop()
        try flush()
        try changes.close()
    }

    /// Writes the transaction; without effect where nothing changed.
    /// - Throws: `SQLiteError` if the store cannot be written.
    public func flush() throws(SQLiteError) {
        guard try connection.value("SELECT 1 FROM temp.ferry_changed LIMIT 1") != .null else { return }
        if try connection.value("SELECT 1 FROM ATRANSACTIONSTRING WHERE ZNAME = 'ferry'") == .null {
            try connection.execute(
                "INSERT INTO ATRANSACTIONSTRING (Z_PK, Z_ENT, ZNAME) "
                    + "SELECT (\(Self.lastKey(Self.stringEntity, "ATRANSACTIONSTRING"))) + 1, \(Self.stringEntity), 'ferry'"
            )
        }
        // Older stores have fewer columns, and the names themselves instead of keys of names.
        let known = Set(
            try connection.rows("SELECT name FROM pragma_table_info('ATRANSACTION')").compactMap(\.first?.string))
        let columns = [
            ("ZAUTHORTS", "Z_PK"), ("ZBUNDLEIDTS", "Z_PK"), ("ZPROCESSIDTS", "Z_PK"), ("ZAUTHOR", "ZNAME"),
            ("ZBUNDLEID", "ZNAME"), ("ZPROCESSID", "ZNAME"), ("ZTIMESTAMP", "?1"),
        ].filter { name, _ in known.contains(name) && !known.contains(name + "TS") }
        try connection.execute(
            "INSERT INTO ATRANSACTION (Z_PK, Z_ENT\(columns.map { ", " + $0.0 }.joined())) "
                + "SELECT (\(Self.lastKey(Self.transactionEntity, "ATRANSACTION"))) + 1, \(Self.transactionEntity)"
                + columns.map { ", " + $0.1 }.joined() + " FROM ATRANSACTIONSTRING WHERE ZNAME = 'ferry'",
            known.contains("ZTIMESTAMP") ? [.real(ReferenceDate.now)] : [])
        try connection.execute(
            "INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID) "
                + "SELECT (\(Self.lastKey(Self.changeEntity, "ACHANGE"))) + row_number() OVER (ORDER BY kind, entity, object), "
                + "\(Self.changeEntity), kind, entity, object, (SELECT max(Z_PK) FROM ATRANSACTION) FROM ferry_changed")
        try raiseCounters()
        try connection.execute("DELETE FROM temp.ferry_changed")
    }

    /// The last key that rows of a table ever had: readers of history know transactions by theirs, so that those of
    /// removed ones are not given again.
    private static func lastKey(_ entity: Int, _ table: String) -> String {
        "SELECT max(ifnull((SELECT max(Z_PK) FROM \(table)), 0), "
            + "ifnull((SELECT max(Z_MAX) FROM Z_PRIMARYKEY WHERE Z_ENT = \(entity)), 0))"
    }

    private func raiseCounters() throws(SQLiteError) {
        for (entity, table) in [
            (Self.changeEntity, "ACHANGE"), (Self.transactionEntity, "ATRANSACTION"),
            (Self.stringEntity, "ATRANSACTIONSTRING"),
        ] {
            try connection.execute(
                "UPDATE Z_PRIMARYKEY SET Z_MAX = (\(Self.lastKey(entity, table))) WHERE Z_ENT = \(entity)")
        }
    }
}
