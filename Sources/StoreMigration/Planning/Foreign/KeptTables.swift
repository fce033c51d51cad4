import PersistentStores
import SQLiteAccess
import SQLiteFileBuilder

/// The source's tables that do not belong to the model and are kept unchanged, with their indexes.
struct KeptTables: Sendable {
    /// Tables that Core Data did not create, and persistent history if it is kept.
    let tables: [SchemaTable]

    /// The indexes of these tables.
    let indexes: [SchemaObject]

    /// The tables that can be built, and the names of their keys: the column that is an alias of the row ID, or `rowid`.
    let keys: [String: String]

    /// The reason why the file cannot be rebuilt table by table; nil if it can.
    let needsCopy: String?

    static let bookkeeping: Set<String> = ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"]
    static let history: Set<String> = ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"]

    /// - Parameter owned: the tables of the source's entities and relationships, in upper case.
    init(schema: StoreSchema, owned: Set<String>, keepsHistory: Bool) {
        let managed = owned.union(Self.bookkeeping)
        tables = schema.tables.filter { table in
            let name = table.name.uppercased()
            if name.hasPrefix("SQLITE_") || managed.contains(name) { return false }
            return keepsHistory || !Self.history.contains(name)
        }
        let kept = Set(tables.map { $0.name.uppercased() })
        let indexes = schema.objects.filter {
            $0.kind == .index && $0.sql != nil && kept.contains($0.table.uppercased())
        }
        self.indexes = indexes
        let made = Self.make(tables, indexes)
        keys = made.keys
        needsCopy = Self.copyReason(tables, keys, unmakeable: made.fault)
    }

    private static func copyReason(
        _ tables: [SchemaTable], _ keys: [String: String], unmakeable: String?
    ) -> String? {
        if let virtual = tables.first(where: \.isVirtual) {
            return "the virtual table \(virtual.name) can only be kept in a copy of the file"
        }
        let unusual = tables.first(where: isUnusual).map { "the table \($0.name)" }
        let unbuilt = tables.first { keys[$0.name] == nil }.map { "the table \($0.name)" }
        return (unusual ?? unmakeable ?? unbuilt).map { "\($0) can only be kept in a copy of the file" }
    }

    /// Returns whether a simple INSERT would not copy the table's rows exactly.
    private static func isUnusual(_ table: SchemaTable) -> Bool {
        let sql = table.sql.uppercased()
        return lacksRowIDs(table) || isNumbered(table) || sql.contains("GENERATED ALWAYS")
            || table.columns.contains { ["ROWID", "OID", "_ROWID_"].contains($0.name.uppercased()) }
            || table.columns.isEmpty
    }

    /// Returns whether the rows of a table have no ID.
    static func lacksRowIDs(_ table: SchemaTable) -> Bool { table.sql.uppercased().contains("WITHOUT ROWID") }

    /// Returns whether SQLite remembers the highest ID of a table, and never gives it to another row.
    static func isNumbered(_ table: SchemaTable) -> Bool { table.sql.uppercased().contains("AUTOINCREMENT") }

    /// Creates the tables and their indexes in memory, one table after the other.
    ///
    /// - Returns: the names of the keys of the tables that can be built, and a table or an index whose statement fails,
    ///   for example because of a collation that only the app has.
    private static func make(
        _ tables: [SchemaTable], _ indexes: [SchemaObject]
    ) -> (keys: [String: String], fault: String?) {
        guard !tables.isEmpty, let memory = try? Connection(path: ":memory:", access: .create) else {
            return ([:], nil)
        }
        defer { try? memory.close() }
        memory.setDefensive(false)
        var (keys, fault) = ([:] as [String: String], nil as String?)
        for table in tables {
            do { try memory.execute(table.sql) } catch { return (keys, "the table \(table.name)") }
            for index in indexes where index.table.uppercased() == table.name.uppercased() {
                do { try memory.execute(index.sql ?? "") } catch { fault = fault ?? "the index \(index.name)" }
            }
            if !isUnusual(table), let definition = (try? DatabaseSchema(of: memory))?.tables.first {
                keys[table.name] = definition.rowIDColumn.map { definition.columns[$0].name } ?? "rowid"
            }
            try? memory.execute("DROP TABLE \(SQLiteIdentifier.quoted(table.name))")
        }
        return (keys, fault)
    }
}
