public import SQLiteAccess

/// Appends what is changed to a store's persistent history (docs/format/sqlite-store.md#persistent-history): one
/// transaction, of the author "ferry" unless told otherwise.
///
/// Which properties an update changed is not recorded: how the framework encodes it is not established, and without it
/// all count as changed.
public final class HistoryWriter {
    private let connection: Connection
    private let changes: ObjectChanges
    private let author: String
    private let contextName: String?

    /// What stands for the program and the process, and for the author where none is named.
    private static let program = "ferry"

    private static let (changeEntity, transactionEntity, stringEntity) = (16001, 16002, 16003)

    /// Watches all that the connection changes from here on; nil if the store keeps no history.
    /// - Throws: `SQLiteError` if the store cannot be read, or the temporary tables cannot be made.
    public convenience init?(_ connection: Connection, layout: StoreLayout) throws(SQLiteError) {
        guard try Self.isKept(in: connection) else { return nil }
        self.init(try ObjectChanges(connection, layout: layout))
    }

    /// Writes what others watch; the store must keep history.
    /// - Parameters:
    ///   - changes: what is watched.
    ///   - author: whose changes they are; nil for "ferry".
    ///   - contextName: the name of the context that makes them; nil for none.
    public init(_ changes: ObjectChanges, author: String? = nil, contextName: String? = nil) {
        self.changes = changes
        self.author = author ?? Self.program
        self.contextName = contextName
        connection = changes.connection
    }

    /// Whether a store keeps history.
    /// - Throws: `SQLiteError` if the store cannot be read.
    public static func isKept(in connection: Connection) throws(SQLiteError) -> Bool {
        try connection.rows(
            "SELECT name FROM main.sqlite_master WHERE name IN ('ACHANGE', 'ATRANSACTION', 'ATRANSACTIONSTRING')"
        ).count == 3
    }

    /// Notes that an object is again as it was before a change: it has not changed, unless something else changes it.
    /// - Parameters:
    ///   - key: the object's primary key.
    ///   - table: the object's table, as SQL.
    /// - Throws: `SQLiteError` if that cannot be noted.
    public func noteRestored(_ key: Int64, of table: String) throws(SQLiteError) {
        try changes.noteRestored(key, of: table)
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
        try changes.forgetRestored()
        guard try connection.value("SELECT 1 FROM temp.ferry_changed LIMIT 1") != .null else { return }
        // Older stores have fewer columns, and the names themselves instead of keys of names.
        let known = Set(
            try connection.rows("SELECT name FROM pragma_table_info('ATRANSACTION')").compactMap(\.first?.string))
        var columns: [String] = []
        var values: [SQLiteValue] = []
        let texts = [
            ("ZAUTHOR", author), ("ZBUNDLEID", Self.program), ("ZPROCESSID", Self.program),
            ("ZCONTEXTNAME", contextName),
        ]
        for (column, text) in texts {
            guard let text else { continue }
            if known.contains(column + "TS") {
                columns.append(column + "TS")
                values.append(.integer(try key(of: text)))
            } else if known.contains(column) {
                columns.append(column)
                values.append(.string(text))
            }
        }
        if known.contains("ZTIMESTAMP") {
            columns.append("ZTIMESTAMP")
            values.append(.real(ReferenceDate.now))
        }
        try connection.execute(
            "INSERT INTO ATRANSACTION (Z_PK, Z_ENT\(columns.map { ", " + $0 }.joined())) "
                + "SELECT (\(Self.lastKey(Self.transactionEntity, "ATRANSACTION"))) + 1, \(Self.transactionEntity)"
                + String(repeating: ", ?", count: values.count), values)
        try connection.execute(
            "INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID) "
                + "SELECT (\(Self.lastKey(Self.changeEntity, "ACHANGE"))) + row_number() OVER (ORDER BY kind, entity, object), "
                + "\(Self.changeEntity), kind, entity, object, (SELECT max(Z_PK) FROM ATRANSACTION) FROM ferry_changed")
        try raiseCounters()
        try connection.execute("DELETE FROM temp.ferry_changed")
    }

    /// The key of a text in the table of texts, where it is written if it is not there.
    private func key(of text: String) throws(SQLiteError) -> Int64 {
        let query = "SELECT min(Z_PK) FROM ATRANSACTIONSTRING WHERE ZNAME = ?"
        if let known = try connection.value(query, [.string(text)]).integer { return known }
        try connection.execute(
            "INSERT INTO ATRANSACTIONSTRING (Z_PK, Z_ENT, ZNAME) "
                + "SELECT (\(Self.lastKey(Self.stringEntity, "ATRANSACTIONSTRING"))) + 1, \(Self.stringEntity), ?",
            [.string(text)])
        return try connection.value(query, [.string(text)]).integer ?? 0
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
