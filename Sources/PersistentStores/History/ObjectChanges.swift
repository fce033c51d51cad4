public import SQLiteAccess

/// Notes which objects are inserted, updated and deleted, in the temporary table `ferry_changed` of the connection:
/// their entity's number, their key, and 0, 1 or 2.
///
/// Temporary triggers note the objects; each is one change, however often it is written.
public final class ObjectChanges {
    /// The connection whose changes are noted.
    public let connection: Connection
    private var triggers: [String]

    /// Begins to note changes of the objects in a layout's tables.
    /// - Throws: `SQLiteError` if the temporary table and triggers cannot be made.
    public init(_ connection: Connection, layout: StoreLayout) throws(SQLiteError) {
        self.connection = connection
        var names: [String] = []
        try connection.execute(
            "CREATE TEMP TABLE ferry_changed (entity INTEGER, object INTEGER, kind INTEGER, PRIMARY KEY (entity, object)) "
                + "WITHOUT ROWID")
        for table in layout.tables {
            // An object that was made and deleted has never been there.
            let actions = [
                ("INSERT", "INSERT OR IGNORE INTO ferry_changed VALUES (NEW.Z_ENT, NEW.Z_PK, 0)"),
                ("UPDATE", "INSERT OR IGNORE INTO ferry_changed VALUES (NEW.Z_ENT, NEW.Z_PK, 1)"),
                (
                    "DELETE",
                    "INSERT INTO ferry_changed VALUES (OLD.Z_ENT, OLD.Z_PK, 2) "
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
