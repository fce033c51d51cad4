public import SQLiteAccess

/// Appends changes to the persistent history of a store, as one transaction whose author is "ferry" by default. See
/// docs/format/sqlite-store.md#persistent-history.
///
/// The properties that an update changed are not recorded: the framework's encoding of them is unknown, and without
/// them all count as changed.
public final class HistoryWriter {
    private let connection: Connection
    private let changes: ObjectChanges
    private let author: String
    private let contextName: String?

    /// The name of the program and the process, and the author if none is given.
    private static let program = "ferry"

    private static let (changeEntity, transactionEntity, stringEntity) = (16001, 16002, 16003)

    /// Begins to record all changes by the connection; nil if the store keeps no history.
    /// - Throws: `SQLiteError` if the store cannot be read, or the temporary tables cannot be made.
    public convenience init?(_ connection: Connection, layout: StoreLayout) throws(SQLiteError) {
        guard try Self.isKept(in: connection) else { return nil }
        self.init(try ObjectChanges(connection, layout: layout))
    }

    /// Makes a writer for changes that another object records; the store must keep history.
    /// - Parameters:
    ///   - changes: the recorder of the changes.
    ///   - author: the author of the changes; nil for "ferry".
    ///   - contextName: the name of the context that made them; nil for none.
    public init(_ changes: ObjectChanges, author: String? = nil, contextName: String? = nil) {
        self.changes = changes
        self.author = author ?? Self.program
        self.contextName = contextName
        connection = changes.connection
    }

    /// Returns whether a store keeps history.
    /// - Throws: `SQLiteError` if the store cannot be read.
    public static func isKept(in connection: Connection) throws(SQLiteError) -> Bool {
        try connection.rows(
            "SELECT name FROM main.sqlite_master WHERE name IN ('ACHANGE', 'ATRANSACTION', 'ATRANSACTIONSTRING')"
        ).count == 3
    }

    /// Notes that a change of an object has been undone: the object counts as unchanged, unless it changes otherwise.
    /// - Parameters:
    ///   - key: the object's primary key.
    ///   - table: the object's table, as SQL.
    /// - Throws: `SQLiteError` if the note cannot be written.
    public func noteRestored(_ key: Int64, of table: String) throws(SQLiteError) {
        try changes.noteRestored(key, of: table)
    }

    /// Writes the last transaction, and stops recording.
    /// - Throws: `SQLiteError` if the store cannot be written.
    public func finish() throws(SQLiteError) {
        try changes.stop()
        try flush()
        try changes.close()
    }

    /// Writes the transaction; does nothing if there are no changes.
    /// - Throws: `SQLiteError` if the store cannot be written.
    public func flush() throws(SQLiteError) {
        try changes.forgetRestored()
        guard try connection.value("SELECT 1 FROM temp.ferry_changed LIMIT 1") != .null else { return }
        // Older stores have fewer columns, and contain the texts themselves instead of keys of texts.
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

    /// Returns the key of a text in the table of texts; adds the text if it is missing.
    private func key(of text: String) throws(SQLiteError) -> Int64 {
        let query = "SELECT min(Z_PK) FROM ATRANSACTIONSTRING WHERE ZNAME = ?"
        if let known = try connection.value(query, [.string(text)]).integer { return known }
        try connection.execute(
            "INSERT INTO ATRANSACTIONSTRING (Z_PK, Z_ENT, ZNAME) "
                + "SELECT (\(Self.lastKey(Self.stringEntity, "ATRANSACTIONSTRING"))) + 1, \(Self.stringEntity), ?",
            [.string(text)])
        return try connection.value(query, [.string(text)]).integer ?? 0
    }

    /// Returns the SQL of the highest key that a table has ever used: history readers identify transactions by their
    /// keys, so those of removed transactions must not be reused.
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
