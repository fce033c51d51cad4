import PersistentStores
import SQLiteAccess

/// What of the source's schema is not the model's: kept as it is, or gone with what it belongs to.
struct KeptObjects: Sendable {
    /// Tables that Core Data did not make, and persistent history where it is kept.
    let tables: [SchemaTable]

    /// Indexes, triggers and views that belong to kept tables, and triggers on entity tables that somebody else made.
    let objects: [SchemaObject]

    /// Triggers on tables that are gone.
    let lost: [SchemaObject]

    /// Why the file cannot be rebuilt table by table; nil where it can.
    let needsCopy: String?

    static let bookkeeping: Set<String> = ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"]
    static let history: Set<String> = ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"]

    /// - Parameters:
    ///   - owned: the tables of the source's entities and relationships.
    ///   - destination: the layout that is to be.
    init(schema: StoreSchema, owned: Set<String>, destination: StoreLayout, keepsHistory: Bool) {
        let managed = owned.union(Self.bookkeeping)
        tables = schema.tables.filter { table in
            let name = table.name.uppercased()
            if name.hasPrefix("SQLITE_") || managed.contains(name) { return false }
            return keepsHistory || !Self.history.contains(name)
        }
        let kept = Set(tables.map { $0.name.uppercased() })
        let newTables = Set((destination.tables.map(\.name) + destination.joinTables.map(\.name)).map { $0.uppercased() })
        var objects: [SchemaObject] = []
        var lost: [SchemaObject] = []
        for object in schema.objects where object.sql != nil {
            let table = object.table.uppercased()
            switch object.kind {
            case .view: objects.append(object)
            case .index where kept.contains(table): objects.append(object)
            case .index: break
            case .trigger where object.name.hasPrefix("Z_DA_"): break
            case .trigger where kept.contains(table) || newTables.contains(table): objects.append(object)
            case .trigger: lost.append(object)
            }
        }
        self.objects = objects
        self.lost = lost
        if let virtual = tables.first(where: \.isVirtual) {
            needsCopy = "the virtual table \(virtual.name) can only be kept in a copy of the file"
        } else if let generated = tables.first(where: { Self.isUnusual($0) }) {
            needsCopy = "the table \(generated.name) can only be kept in a copy of the file"
        } else {
            needsCopy = nil
        }
    }

    /// Tables whose rows a plain INSERT does not bring over exactly.
    private static func isUnusual(_ table: SchemaTable) -> Bool {
        let sql = table.sql.uppercased()
        return sql.contains("WITHOUT ROWID") || sql.contains("GENERATED ALWAYS") || sql.contains("AUTOINCREMENT")
            || table.columns.contains { ["ROWID", "OID", "_ROWID_"].contains($0.name.uppercased()) }
            || table.columns.isEmpty
    }
}
