internal import SQLiteAccess

/// The trees of a database, and the rules that its schema sets for their records.
struct TreeShapes {
    private(set) var trees: [TreeShape] = []
    /// Tables whose rows follow rules that only SQLite knows.
    private(set) var checkedBySQLite: [String] = []
    /// The number of indexes that are compared with their tables.
    private var indexCount = 0

    /// Returns whether a version of SQLite lets virtual tables check themselves, as it does from 3.44 on.
    private static func asksVirtualTables(_ version: String) -> Bool {
        let numbers = version.split(separator: ".").compactMap { Int($0) }
        return numbers.count < 2 || numbers[0] > 3 || numbers[1] >= 44
    }

    private let seed = UInt64.random(in: .min ... .max)

    /// - Parameter comparesIndexes: whether indexes are compared with their tables.
    mutating func read(_ connection: Connection, comparesIndexes: Bool) throws(SQLiteError) {
        let encoding = try DatabaseFile.TextEncoding(of: connection)
        trees = [
            TreeShape(
                title: "the schema", table: "sqlite_schema", root: 1, isTable: true, encoding: encoding,
                columns: Self.schemaColumns)
        ]
        var byName: [String: IndexShape] = [:]
        var withoutRowID: Set<String> = []
        var strict: Set<String> = []
        let list = try connection.rows("SELECT name, wr, strict, type FROM pragma_table_list WHERE schema = 'main'")
        for row in list {
            if row[1].integer != 0 { withoutRowID.insert(row[0].string ?? "") }
            if row[2].integer != 0 { strict.insert(row[0].string ?? "") }
        }
        if comparesIndexes, Self.asksVirtualTables(SQLiteLibrary.version) {
            checkedBySQLite += list.filter { $0[3].string == "virtual" }.compactMap { $0[0].string }
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
                        title: "index \(name)", name: name, table: entry[2].string ?? "", root: root, isTable: false,
                        encoding: encoding, columns: []))
                continue
            }
            let indexes = try connection.rows(
                "SELECT name, \"unique\", origin, partial FROM pragma_index_list(?)", [.string(name)])
            let rows = try connection.rows(
                "SELECT name, type, \"notnull\", pk, hidden, dflt_value FROM pragma_table_xinfo(?) ORDER BY cid",
                [.string(name)])
            let words = SchemaReader.words(of: entry[3].string ?? "")
            let isGenerated = rows.contains { $0[4].integer ?? 0 > 1 }
            let hasRowID = !withoutRowID.contains(name)
            guard !hasRowID || indexes.allSatisfy({ index in entries.contains { $0[1] == index[0] } }) else {
                throw SQLiteError.malformed("an index has no pages", path: connection.shownPath)
            }
            let isLeftToSQLite =
                !hasRowID || strict.contains(name) || isGenerated || words.contains("CHECK")
            // A column that is an alias of the row ID has no index.
            let keys = rows.indices.filter { rows[$0][3].integer ?? 0 > 0 }
            let rowIDColumn = keys.count == 1 && !indexes.contains { $0[2].string == "pk" } ? keys[0] : nil
            let columns = Self.columns(rows, rowIDColumn: rowIDColumn)
            var compared: [IndexShape]? = []
            if comparesIndexes, !isLeftToSQLite {
                compared = try shapes(of: indexes, on: columns, rowIDColumn: rowIDColumn, encoding, connection)
            }
            if isLeftToSQLite || compared == nil { checkedBySQLite.append(name) }
            trees.append(
                TreeShape(
                    title: "table \(name)", name: name, table: name, root: root, isTable: hasRowID,
                    encoding: encoding, columns: isLeftToSQLite ? [] : columns, indexes: compared ?? []))
            for shape in compared ?? [] { byName[shape.name] = shape }
            indexCount += compared?.count ?? 0
        }
        for place in trees.indices where !trees[place].isTable {
            trees[place].index = byName.removeValue(forKey: trees[place].name)
        }
        // Every index has a tree.
        guard byName.isEmpty else { throw SQLiteError.malformed("an index has no pages", path: connection.shownPath) }
    }

    /// Returns the shapes of a table's indexes; nil if only SQLite knows the collation or the rows of one of them.
    private func shapes(
        of indexes: [[SQLiteValue]], on columns: [TreeShape.Column], rowIDColumn: Int?,
        _ encoding: DatabaseFile.TextEncoding, _ connection: Connection
    ) throws(SQLiteError) -> [IndexShape]? {
        var result: [IndexShape] = []
        for index in indexes {
            let name = index[0].string ?? ""
            guard index[3].integer == 0 else { return nil }
            let rows = try connection.rows(
                "SELECT cid, \"desc\", coll, key FROM pragma_index_xinfo(?) ORDER BY seqno", [.string(name)])
            var members: [IndexShape.Column] = []
            for row in rows {
                guard let position = row[0].integer.map({ Int($0) }), position >= -1, position < columns.count,
                    let collation = IndexShape.Collation(rawValue: (row[2].string ?? "").uppercased()),
                    collation == .binary || encoding == .utf8
                else { return nil }
                let isRowID = position == -1 || position == rowIDColumn
                members.append(
                    IndexShape.Column(
                        position: isRowID ? nil : position, collation: collation, isDescending: row[1].integer != 0,
                        isReal: !isRowID && columns[position].affinity == .real,
                        hasDefault: !isRowID && columns[position].hasDefault))
            }
            guard rows.last?[0].integer == -1, rows.last?[3].integer == 0 else { return nil }
            result.append(
                IndexShape(
                    name: name, columns: members, keyCount: rows.count { $0[3].integer != 0 },
                    isUnique: index[1].integer != 0, place: indexCount + result.count, seed: seed))
        }
        return result
    }

    private static let schemaColumns = [
        ("type", ColumnAffinity.text), ("name", .text), ("tbl_name", .text), ("rootpage", .integer), ("sql", .text),
    ].map { TreeShape.Column(name: $0.0, affinity: $0.1, isNotNull: false) }

    /// Returns the columns. INTEGER PRIMARY KEY is an alias of the row ID, and is stored as NULL.
    private static func columns(_ rows: [[SQLiteValue]], rowIDColumn: Int?) -> [TreeShape.Column] {
        rows.enumerated().map { position, row in
            TreeShape.Column(
                name: row[0].string ?? "", affinity: ColumnAffinity(declaredType: row[1].string ?? ""),
                isNotNull: row[2].integer ?? 0 != 0 && position != rowIDColumn, hasDefault: !row[5].isNull)
        }
    }
}
