import ManagedObjectModels
package import PersistentStores
package import SQLiteAccess

/// The unique indexes of a store's tables: SQLite enforces them row by row, Core Data at the end of a save.
///
/// An edit that violates one is run again without them: only values that are equal at the end are a fault.
package final class UniquenessGuard {
    private struct Index {
        let name: String
        let table: EntityTable
        let sql: String
        /// The quoted column names.
        let columns: [String]
    }

    private let connection: Connection
    private let layout: StoreLayout
    private var released: [Index] = []

    package init(_ connection: Connection, _ layout: StoreLayout) {
        self.connection = connection
        self.layout = layout
    }

    /// Drops the indexes; `faults` creates them again.
    package func release() throws {
        for row in try connection.rows(
            "SELECT m.name, m.tbl_name, m.sql FROM main.sqlite_master m, pragma_index_list(m.tbl_name) l "
                + "WHERE m.type = 'index' AND m.sql NOT NULL AND l.name = m.name AND l.\"unique\" = 1")
        {
            guard let name = row[0].string, let sql = row[2].string,
                let table = layout.tables.first(where: { $0.name == row[1].string })
            else { continue }
            let columns = try connection.rows("SELECT name FROM pragma_index_info(?)", [row[0]])
            released.append(
                Index(
                    name: name, table: table, sql: sql,
                    columns: columns.compactMap { $0[0].string.map(SQLiteIdentifier.quoted) }))
        }
        for index in released { try connection.execute("DROP INDEX main.\(SQLiteIdentifier.quoted(index.name))") }
    }

    /// Returns faults for objects with equal values; creates the indexes of which there are none again.
    package func faults(limit: Int, uri: (Int64, Int64) -> String) throws -> [EditFault] {
        var faults: [EditFault] = []
        for index in released {
            do {
                try connection.execute(index.sql)
            } catch {
                guard error.isConstraint else { throw error }
                faults.append(try fault(index, limit, uri))
            }
        }
        return faults
    }

    private func fault(_ index: Index, _ limit: Int, _ uri: (Int64, Int64) -> String) throws -> EditFault {
        let table = "main.\(SQLiteIdentifier.quoted(index.table.name))"
        let columns = index.columns.joined(separator: ", ")
        let isThere = index.columns.map { "\($0) NOT NULL" }.joined(separator: " AND ")
        let rows =
            "FROM \(table) WHERE (\(columns)) IN (SELECT \(columns) FROM \(table) WHERE \(isThere) GROUP BY \(columns) "
            + "HAVING count(*) > 1)"
        let count = try connection.value("SELECT count(*) \(rows)").integer ?? 0
        let examples = try connection.rows("SELECT Z_ENT, Z_PK \(rows) ORDER BY 2 LIMIT \(limit)")
        let names = index.table.columns.compactMap { column -> String? in
            guard index.columns.contains(SQLiteIdentifier.quoted(column.name)), case .attribute(let key) = column.role
            else { return nil }
            return key.name
        }
        return EditFault(
            code: 133021, entity: layout.model.entities[index.table.root].name, property: names.joined(separator: ","),
            message: "several objects have the same values under a uniqueness constraint", count: count,
            objects: examples.map { uri($0[0].integer ?? 0, $0[1].integer ?? 0) })
    }
}
