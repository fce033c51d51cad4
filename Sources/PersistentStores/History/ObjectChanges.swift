import ManagedObjectModels
public import SQLiteAccess

/// Records which objects are inserted, updated and deleted, in the temporary table `ferry_changed`. Its columns are the
/// entity number, the key, and 0, 1 or 2 for the change.
///
/// Temporary triggers record the objects; each object counts as one change, however often it is written.
public final class ObjectChanges {
    /// The connection whose changes are recorded.
    public let connection: Connection
    private var triggers: [String]
    private let layout: StoreLayout
    private var hasRestored = false

    /// Begins to record changes of the objects in a layout's tables.
    /// - Throws: `SQLiteError` if the temporary table and triggers cannot be made.
    public init(_ connection: Connection, layout: StoreLayout) throws(SQLiteError) {
        self.connection = connection
        self.layout = layout
        var names: [String] = []
        try connection.execute(
            "CREATE TEMP TABLE ferry_changed (entity INTEGER, object INTEGER, kind INTEGER, version INTEGER, "
                + "restored INTEGER, PRIMARY KEY (entity, object)) WITHOUT ROWID")
        for table in layout.tables {
            // An object that was inserted and then deleted counts as no change.
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

    /// Notes that an object has its previous version and values again.
    /// - Parameters:
    ///   - table: the object's table, as SQL.
    ///   - key: the object's primary key.
    func noteRestored(_ key: Int64, of table: String) throws(SQLiteError) {
        hasRestored = true
        try connection.execute(
            "UPDATE temp.ferry_changed SET restored = 1 WHERE object = ? "
                + "AND entity = (SELECT Z_ENT FROM \(table) WHERE Z_PK = ?)", [.integer(key), .integer(key)])
    }

    /// Removes the changes of restored objects that have not been changed since.
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

    /// Stops recording; the recorded changes stay.
    /// - Throws: `SQLiteError` if the temporary table and triggers cannot be removed.
    public func stop() throws(SQLiteError) {
        for name in triggers { try connection.execute("DROP TRIGGER temp.\(name)") }
        triggers = []
    }

    /// Stops recording, and removes the recorded changes.
    /// - Throws: `SQLiteError` if the temporary table and triggers cannot be removed.
    public func close() throws(SQLiteError) {
        try stop()
        try connection.execute("DROP TABLE temp.ferry_changed")
    }
}
