internal import SQLiteAccess

/// The trees of a database, and the rules that its schema sets for their records.
struct TreeShapes {
    private(set) var trees: [TreeShape] = []
    /// Tables whose rows follow rules that only SQLite knows.
    private(set) var checkedBySQLite: [String] = []

    mutating func read(_ connection: Connection) throws(SQLiteError) {
        trees = [
            TreeShape(title: "the schema", table: "sqlite_schema", root: 1, isTable: true, columns: [])
        ]
        var withoutRowID: Set<String> = []
        var strict: Set<String> = []
        for row in try connection.rows("SELECT name, wr, strict FROM pragma_table_list WHERE schema = 'main'") {
            if row[1].integer != 0 { withoutRowID.insert(row[0].string ?? "") }
            if row[2].integer != 0 { strict.insert(row[0].string ?? "") }
        }
        let entries = try connection.rows(
            "SELECT type, name, tbl_name, sql, rootpage FROM main.sqlite_schema WHERE type IN ('table', 'index') "
                + "AND rootpage IS NOT 0 ORDER BY rowid")
        for entry in entries {
            let (type, name) = (entry[0].string ?? "", entry[1].string ?? "")
            let root = UInt32(clamping: entry[4].integer ?? 0)
            guard type == "table" else {
                trees.append(
                    TreeShape(
                        title: "index \(name)", table: entry[2].string ?? "", root: root, isTable: false, columns: []))
                continue
            }
            let rows = try connection.rows(
                "SELECT name, type, \"notnull\", pk, hidden FROM pragma_table_xinfo(?) ORDER BY cid", [.string(name)])
            let sql = (entry[3].string ?? "").uppercased()
            let isGenerated = rows.contains { $0[4].integer ?? 0 > 1 }
            let hasRowID = !withoutRowID.contains(name)
            let isLeftToSQLite = !hasRowID || strict.contains(name) || isGenerated || sql.contains("CHECK")
            if isLeftToSQLite { checkedBySQLite.append(name) }
            trees.append(
                TreeShape(
                    title: "table \(name)", table: name, root: root, isTable: hasRowID,
                    columns: isLeftToSQLite ? [] : Self.columns(rows)))
        }
    }

    /// The columns; INTEGER PRIMARY KEY, which stands for the row ID, is stored as NULL.
    private static func columns(_ rows: [[SQLiteValue]]) -> [TreeShape.Column] {
        let keys = rows.filter { $0[3].integer ?? 0 > 0 }
        return rows.map { row in
            let isRowID =
                keys.count == 1 && row[3].integer ?? 0 > 0 && (row[1].string ?? "").uppercased() == "INTEGER"
            return TreeShape.Column(
                name: row[0].string ?? "", affinity: ColumnAffinity(declaredType: row[1].string ?? ""),
                isNotNull: row[2].integer ?? 0 != 0 && !isRowID)
        }
    }
}
