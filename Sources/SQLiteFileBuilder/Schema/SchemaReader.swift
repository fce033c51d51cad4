internal import SQLiteAccess

/// Reads a schema from SQLite, and records what the builder cannot write.
struct SchemaReader {
    private let connection: Connection
    private(set) var declined: [String] = []
    /// The names of the indexes that only SQLite can write.
    private(set) var unbuiltIndexes: [String] = []

    init(_ connection: Connection) {
        self.connection = connection
    }

    func settings() throws(SQLiteError) -> FileSettings {
        var settings = FileSettings()
        settings.pageSize = Int(try number("PRAGMA main.page_size"))
        settings.vacuum = FileSettings.Vacuum(rawValue: Int(try number("PRAGMA main.auto_vacuum"))) ?? .none
        settings.userVersion = Int32(truncatingIfNeeded: try number("PRAGMA main.user_version"))
        settings.applicationID = Int32(truncatingIfNeeded: try number("PRAGMA main.application_id"))
        settings.schemaCookie = UInt32(truncatingIfNeeded: max(1, try number("PRAGMA main.schema_version")))
        let version = try connection.value("SELECT sqlite_version()").string ?? ""
        settings.libraryVersion = version.split(separator: ".").prefix(3).reduce(0) { $0 * 1000 + (UInt32($1) ?? 0) }
        settings.encoding = try DatabaseFile.TextEncoding(of: connection)
        return settings
    }

    private func number(_ sql: String) throws(SQLiteError) -> Int64 {
        try connection.value(sql).integer ?? 0
    }

    func entries() throws(SQLiteError) -> [SchemaEntry] {
        try connection.rows(
            "SELECT type, name, tbl_name, sql, rootpage FROM main.sqlite_schema ORDER BY rowid"
        ).map { row in
            SchemaEntry(
                type: row[0].string ?? "", name: row[1].string ?? "", table: row[2].string ?? "",
                hasTree: row[4].integer ?? 0 != 0, sql: row[3])
        }
    }

    /// Returns a table; nil if it is not an ordinary one.
    mutating func table(_ entry: SchemaEntry) throws(SQLiteError) -> TableDefinition? {
        let name = entry.name
        guard entry.hasTree else { return decline("\(name) is a virtual table") }
        guard !name.hasPrefix("sqlite_") else { return decline("\(name) is a table of SQLite's own") }
        let properties = try connection.rows(
            "SELECT wr, strict FROM pragma_table_list WHERE schema = 'main' AND name = ?", [.string(name)])
        if properties.first?[0].integer ?? 0 != 0 { return decline("\(name) is a table without row ids") }
        let isStrict = properties.first?[1].integer ?? 0 != 0
        let rows = try connection.rows(
            "SELECT name, type, \"notnull\", pk, hidden FROM pragma_table_xinfo(?) ORDER BY cid", [.string(name)])
        guard !rows.contains(where: { $0[4].integer ?? 0 != 0 }) else {
            return decline("\(name) has generated columns")
        }
        let (indexes, hasKeyIndex) = try indexes(of: name)
        let keys = rows.indices.filter { rows[$0][3].integer ?? 0 > 0 }
        return TableDefinition(
            name: name,
            columns: rows.map { row in
                TableDefinition.Column(
                    name: row[0].string ?? "",
                    affinity: ColumnAffinity(declaredType: row[1].string ?? "", isStrict: isStrict),
                    isNotNull: row[2].integer ?? 0 != 0)
            },
            rowIDColumn: keys.count == 1 && !hasKeyIndex ? keys[0] : nil,
            indexes: indexes, encoding: try DatabaseFile.TextEncoding(of: connection))
    }

    /// Returns the indexes that the builder can write, and whether the table's primary key has an index.
    private mutating func indexes(
        of table: String
    ) throws(SQLiteError) -> (definitions: [IndexDefinition], haveKey: Bool) {
        var (result, hasKey) = ([] as [IndexDefinition], false)
        let list = try connection.rows(
            "SELECT name, \"unique\", origin, partial FROM pragma_index_list(?) ORDER BY seq DESC", [.string(table)])
        for index in list {
            let name = index[0].string ?? ""
            if index[2].string == "pk" { hasKey = true }
            let rows = try connection.rows(
                "SELECT cid, \"desc\", coll, name FROM pragma_index_xinfo(?) WHERE key ORDER BY seqno", [.string(name)])
            let isPartial = index[3].integer ?? 0 != 0
            // -2 stands for an expression.
            if isPartial || rows.contains(where: { $0[0].integer == -2 || $0[2].string?.uppercased() != "BINARY" }) {
                unbuiltIndexes.append(name)
                continue
            }
            let columns = rows.map { row in
                IndexDefinition.Column(
                    position: row[0].integer.flatMap { $0 < 0 ? nil : Int($0) },
                    isDescending: row[1].integer ?? 0 != 0)
            }
            result.append(IndexDefinition(name: name, columns: columns, isUnique: index[1].integer ?? 0 != 0))
        }
        return (result, hasKey)
    }

    private mutating func decline<T>(_ reason: String) -> T? {
        declined.append(reason)
        return nil
    }

    /// Returns the words of a statement in capitals. Names that look like a keyword are included, so that their tables
    /// are left to SQLite, too.
    static func words(of sql: String) -> Set<String> {
        let words = sql.uppercased().split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "$") }
        return Set(words.map(String.init))
    }
}
