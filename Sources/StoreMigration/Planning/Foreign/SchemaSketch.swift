import PersistentStores
import SQLiteAccess

/// The future schema of a store in memory, without rows, on which a plan tries objects that do not belong to Core Data.
struct SchemaSketch {
    private let trial: ForeignObjectTrial

    /// Whether a kept table could not be created here, so that only the store itself can show what works.
    private let isIncomplete: Bool

    init(of layout: StoreLayout, keptTables: KeptTables) throws(SQLiteError) {
        let connection = try Connection(path: ":memory:", access: .create)
        connection.setDefensive(false)
        try registerCoreDataFunctions(connection)
        for table in layout.tables { try connection.execute(table.createStatement) }
        for table in layout.joinTables { try connection.execute(table.createStatement) }
        for (_, sql) in BookkeepingTables.createStatements { try connection.execute(sql) }
        for index in layout.indexes().indexes { try connection.execute(index.createStatement) }
        for statement in DerivedAttributeTriggers(layout: layout).statements { try connection.execute(statement) }
        var isIncomplete = false
        // A virtual table creates its own shadow tables, which are in the list as well.
        for table in keptTables.tables.filter(\.isVirtual) + keptTables.tables.filter({ !$0.isVirtual })
        where try connection.rows("PRAGMA main.table_info(\(SQLiteIdentifier.quoted(table.name)))").isEmpty {
            if (try? connection.execute(table.sql)) == nil { isIncomplete = true }
        }
        self.isIncomplete = isIncomplete
        trial = ForeignObjectTrial(connection: connection)
    }

    /// Returns the reason why an object would not work; nil if it would, or if this cannot be determined.
    func reason(against object: SchemaObject) throws(SQLiteError) -> String? {
        let reason = try trial.create(object)
        return isIncomplete ? nil : reason
    }
}
