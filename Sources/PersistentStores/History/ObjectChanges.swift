import ManagedObjectModels
public import SQLiteAccess

/// Notes which objects are inserted, updated and deleted, in the temporary table `ferry_changed` of the connection:
/// their entity's number, their key, and 0, 1 or 2.
///
/// Temporary triggers note the objects; each is one change, however often it is written.
public final class ObjectChanges {
    /// The connection whose changes are noted.
    public let connection: Connection
    private var triggers: [String]
    private let layout: StoreLayout
    private var hasRestored = false

    /// Begins to note changes of the objects in a layout's tables.
    /// - Throws: `SQLiteError` if the temporary table and triggers cannot be made.
    public init(_ connection: Connection, layout: StoreLayout) throws(SQLiteError) {
        self.connection = connection
        self.layout = layout
        var names: [String] = []
        try connection.execute(
            "CREATE TEMP TABLE ferry_changed (entity INTEGER, object INTEGER, kind INTEGER, version INTEGER, "
                + "restored INTEGER, PRIMARY KEY (entity, object)) WITHOUT ROWID")
        for table in layout.tables {
            // An object that was made and deleted has never been there.
            let actions = [
                ("INSERT", "INSERT OR IGNORE INTO ferry_changed VALUES (NEW.Z_ENT, NEW.Z_PK, 0, NULL, 0)"),
                ("UPDATE", "INSERT OR IGNORE INTO ferry_changed VALUES (NEW.Z_ENT, NEW.Z_PK, 1, OLD.Z_OPT, 0)"),
                (
                    "DELETE",
                    "INSERT INTO ferry_changed VALUES (OLD.Z_ENT, OLD.Z_PK, 2, NULL, 0) "
                        + "ON CONFLICT DO UPDATE SET kind = iif(kind = 0, 3, 2); "
                        + "DELETE FROM ferry_changed WHERE entity = OLD.Z_ENT AND object = OLD.Z_PK AND kind = 3"
                ),
            ]
            for (event, action) in actions {
                let name = "ferry_history_\(names.count + 1)"
                try connection.execute(
                    "CREATE TEMP TRIGGER \(name) AFTER \(event) ON main.\(SQLiteIdentifier.quoted(table.name)) BEGIN "
                        + "\(action); END")
                names.append(name)
            }
        }
        triggers = names
    }

    /// Notes that an object has the version again that it had before a change, as all else of it.
    /// - Parameters:
    ///   - table: the object's table, as SQL.
    ///   - key: the object's primary key.
    func noteRestored(_ key: Int64, of table: String) throws(SQLiteError) {
        hasRestored = true
        try connection.execute(
            "UPDATE temp.ferry_changed SET restored = 1 WHERE object = ? "
                + "AND entity = (SELECT Z_ENT FROM \(table) WHERE Z_PK = ?)", [.integer(key), .integer(key)])
    }

    /// Forgets the changes of restored objects that nothing has changed since.
    func forgetRestored() throws(SQLiteError) {
        guard hasRestored else { return }
        hasRestored = false
        for table in layout.tables {
            let numbers = layout.model.entities[table.root].subtree.map { "\(layout.entityNumbers[$0])" }
            try connection.execute(
                "DELETE FROM temp.ferry_changed WHERE restored = 1 AND kind = 1 "
                    + "AND entity IN (\(numbers.joined(separator: ", "))) AND version IS "
                    + "(SELECT Z_OPT FROM main.\(SQLiteIdentifier.quoted(table.name)) WHERE Z_PK = object)")
        }
    }

    /// Watches no more; what was noted stays.
    /// - Throws: `SQLiteError` if the temporary table and triggers cannot be removed.
    public func stop() throws(SQLiteError) {
        for name in triggers { try connection.execute("DROP TRIGGER temp.\(name)") }
        triggers = []
    }

    /// Forgets what was noted.
    /// - Throws: `SQLiteError` if the temporary table and triggers cannot be removed.
    public func close() throws(SQLiteError) {
        try stop()
        try connection.execute("DROP TABLE temp.ferry_changed")
    }
}
