import PersistentStores
import SQLiteAccess

/// The tables of the source that are not the model's and stay as they are, with their indexes.
struct KeptTables: Sendable {
    /// Tables that Core Data did not make, and persistent history where it is kept.
    let tables: [SchemaTable]

    /// Their indexes.
    let indexes: [SchemaObject]

    /// Why the file cannot be rebuilt table by table; nil if it can.
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
        indexes = schema.objects.filter {
            $0.kind == .index && $0.sql != nil && kept.contains($0.table.uppercased())
        }
        needsCopy = Self.copyReason(tables, indexes)
    }

    private static func copyReason(_ tables: [SchemaTable], _ indexes: [SchemaObject]) -> String? {
        if let virtual = tables.first(where: \.isVirtual) {
            return "the virtual table \(virtual.name) can only be kept in a copy of the file"
        }
        if let table = tables.first(where: isUnusual) {
            return "the table \(table.name) can only be kept in a copy of the file"
        }
        return unmakeable(tables, indexes).map { "\($0) can only be kept in a copy of the file" }
    }

    /// Tables whose rows a plain INSERT does not bring over exactly.
    private static func isUnusual(_ table: SchemaTable) -> Bool {
        let sql = table.sql.uppercased()
        return sql.contains("WITHOUT ROWID") || sql.contains("GENERATED ALWAYS") || sql.contains("AUTOINCREMENT")
            || table.columns.contains { ["ROWID", "OID", "_ROWID_"].contains($0.name.uppercased()) }
            || table.columns.isEmpty
    }

    /// A table or index whose statement this SQLite does not take, such as for a collation that only an app has.
    private static func unmakeable(_ tables: [SchemaTable], _ indexes: [SchemaObject]) -> String? {
        guard !tables.isEmpty, let memory = try? Connection(path: ":memory:", access: .create) else { return nil }
        defer { try? memory.close() }
        for table in tables {
            do { try memory.execute(table.sql) } catch { return "the table \(table.name)" }
        }
        for index in indexes {
            do { try memory.execute(index.sql ?? "") } catch { return "the index \(index.name)" }
        }
        return nil
    }
}
