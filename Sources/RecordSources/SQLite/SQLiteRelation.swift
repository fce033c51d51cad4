internal import SQLiteAccess

/// A table or view of a database.
public struct SQLiteRelation: Equatable, Sendable {
    /// A column of a table or view.
    public struct Column: Equatable, Sendable {
        /// The column's name.
        public let name: String
        /// The declared type; empty if there is none.
        public let declaredType: String
        /// Whether it is declared `NOT NULL`.
        public let isMandatory: Bool
        /// The text of the default value's expression; nil if there is none.
        public let defaultExpression: String?
    }

    /// A reference to another table.
    public struct ForeignKey: Equatable, Sendable {
        /// The referencing columns, in the order of the referenced ones.
        public let columns: [String]
        /// The name of the referenced table.
        public let relation: String
        /// The referenced columns; empty for the primary key.
        public let referencedColumns: [String]

        package init(columns: [String], relation: String, referencedColumns: [String]) {
            self.columns = columns
            self.relation = relation
            self.referencedColumns = referencedColumns
        }
    }

    /// The name of the table or view.
    public let name: String
    /// Whether it is a view.
    public let isView: Bool
    /// The columns in the order of their declaration.
    public let columns: [Column]
    /// The columns of the primary key, in its order; empty if there is none.
    public let primaryKey: [String]
    /// The columns of each unique constraint or index, except for the primary key and partial indexes.
    public let uniqueKeys: [[String]]
    /// The references to other tables; empty for a view.
    public let foreignKeys: [ForeignKey]

    init(_ name: String, isView: Bool, _ connection: Connection) throws {
        self.name = name
        self.isView = isView
        let quoted = SQLiteIdentifier.quoted(name)
        // cid, name, type, notnull, dflt_value, pk, hidden: 1 is a hidden column of a virtual table.
        let information = try connection.rows("PRAGMA table_xinfo(\(quoted))").filter { $0[6].integer != 1 }
        columns = information.map { row in
            Column(
                name: row[1].string ?? "", declaredType: row[2].string ?? "", isMandatory: row[3].integer == 1,
                defaultExpression: row[4].string)
        }
        primaryKey = information.filter { ($0[5].integer ?? 0) > 0 }
            .sorted { ($0[5].integer ?? 0) < ($1[5].integer ?? 0) }
            .compactMap { $0[1].string }
        // seq, name, unique, origin, partial
        let indexes = try connection.rows("PRAGMA index_list(\(quoted))")
            .filter { $0[2].integer == 1 && $0[3].string != "pk" && $0[4].integer == 0 }
        uniqueKeys = try indexes.reversed().compactMap { index in
            // seqno, cid, name: the name is NULL for an expression.
            let parts = try connection.rows("PRAGMA index_info(\(SQLiteIdentifier.quoted(index[1].string ?? "")))")
            let names = parts.compactMap { $0[2].string }
            return names.count == parts.count ? names : nil
        }
        foreignKeys = try SQLiteRelation.foreignKeys(of: quoted, connection)
    }

    /// Describes a flat file as a table; its references come from the caller.
    package init(_ name: String, columns: [String], primaryKey: [String] = [], foreignKeys: [ForeignKey] = []) {
        self.name = name
        isView = false
        self.columns = columns.map { Column(name: $0, declaredType: "", isMandatory: false, defaultExpression: nil) }
        self.primaryKey = primaryKey
        uniqueKeys = []
        self.foreignKeys = foreignKeys
    }

    private static func foreignKeys(of quoted: String, _ connection: Connection) throws -> [ForeignKey] {
        // id, seq, table, from, to, …; a foreign key of several columns has several rows.
        var keys: [(id: Int64, key: ForeignKey)] = []
        for row in try connection.rows("PRAGMA foreign_key_list(\(quoted))") {
            let id = row[0].integer ?? 0
            let from = row[3].string ?? ""
            let to = row[4].string.map { [$0] } ?? []
            if let last = keys.last, last.id == id {
                keys[keys.count - 1].key = ForeignKey(
                    columns: last.key.columns + [from], relation: last.key.relation,
                    referencedColumns: last.key.referencedColumns + to)
            } else {
                keys.append((id, ForeignKey(columns: [from], relation: row[2].string ?? "", referencedColumns: to)))
            }
        }
        return keys.sorted { $0.id > $1.id }.map(\.key)
    }
}
