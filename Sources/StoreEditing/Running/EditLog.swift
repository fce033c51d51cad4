import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// Records the effects of an edit besides the changed rows: objects whose numbers of links may have changed, in
/// `ferry_linked`, and files of external data that rows no longer name, in `ferry_released`.
final class EditLog {
    /// A column whose values may be in files.
    struct ExternalColumn {
        /// The quoted name of the table.
        let table: String
        let name: String
    }

    let externalColumns: [ExternalColumn]
    private let connection: Connection
    private var triggers: [String] = []

    init(_ connection: Connection, _ layout: StoreLayout) throws {
        self.connection = connection
        externalColumns = layout.tables.flatMap { table in
            table.columns.compactMap { column in
                guard case .attribute(let key) = column.role,
                    layout.model.entities[key.owner].attribute(named: key.name)?
                        .description.hasExternalData ?? false
                else { return nil }
                return ExternalColumn(
                    table: "main." + SQLiteIdentifier.quoted(table.name), name: SQLiteIdentifier.quoted(column.name))
            }
        }
        try connection.execute(
            "CREATE TEMP TABLE ferry_linked (root INTEGER, k INTEGER, PRIMARY KEY (root, k)) WITHOUT ROWID; "
                + "CREATE TEMP TABLE ferry_released (value BLOB)")
        for column in externalColumns { try watchFiles(column) }
        for entity in layout.model.entities {
            for relationship in entity.declaredRelationships where relationship.isToMany {
                guard CountRule(relationship) != nil, let place = LinkPlace(relationship, layout: layout) else {
                    continue
                }
                try watchLinks(place, root: entity.root)
            }
        }
    }

    private func watchFiles(_ column: ExternalColumn) throws {
        let action =
            "INSERT INTO ferry_released SELECT OLD.\(column.name) WHERE length(OLD.\(column.name)) = 38 "
            + "AND substr(OLD.\(column.name), 1, 1) = x'02'"
        try watch("DELETE", column.table, action)
        try watch("UPDATE OF \(column.name)", column.table, action)
    }

    private func watchLinks(_ place: LinkPlace, root: Int) throws {
        let table = "main." + place.table
        func note(_ row: String) -> String {
            "INSERT OR IGNORE INTO ferry_linked SELECT \(root), \(row).\(place.owner) WHERE \(row).\(place.owner) NOT NULL"
        }
        try watch("INSERT", table, note("NEW"))
        try watch("DELETE", table, note("OLD"))
        if place.kind == .foreignKey { try watch("UPDATE OF \(place.owner)", table, note("OLD") + "; " + note("NEW")) }
    }

    private func watch(_ event: String, _ table: String, _ action: String) throws {
        let name = "ferry_edit_\(triggers.count + 1)"
        try connection.execute("CREATE TEMP TRIGGER \(name) AFTER \(event) ON \(table) BEGIN \(action); END")
        triggers.append(name)
    }

    /// Stops recording; the records stay.
    func stop() throws {
        for name in triggers { try connection.execute("DROP TRIGGER temp.\(name)") }
        triggers = []
    }

    /// Calls a closure with the values that named files.
    func forEachReleased(_ body: ([UInt8]) throws -> Void) throws {
        let statement = try connection.prepare("SELECT value FROM temp.ferry_released")
        while try statement.step() { try body(statement.value(0).blob ?? []) }
    }

    /// Stops recording, and removes the records.
    func close() throws {
        try connection.execute("DROP TABLE temp.ferry_linked; DROP TABLE temp.ferry_released")
    }
}
