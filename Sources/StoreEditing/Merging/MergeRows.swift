import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import StoreFetching

/// Writes the attributes of merged objects, and assigns keys to new ones.
struct MergeRows {
    private typealias State = MergeSelection.State

    let selection: MergeSelection
    let destination: StoreLayout
    let keys: PrimaryKeys
    let limits: EditLimits

    private var connection: Connection { selection.connection }

    /// Returns the quoted columns of attributes in both stores.
    private func columns(_ table: EntityTable) -> [(from: String, to: String)] {
        selection.source.tables.first { $0.root == table.root }?.columns.compactMap { column in
            guard case .attribute = column.role, let other = table.column(column.role) else { return nil }
            return (SQLiteIdentifier.quoted(column.name), SQLiteIdentifier.quoted(other.name))
        } ?? []
    }

    func write() throws {
        try connection.execute("CREATE TEMP TABLE ferry_numbers (s INTEGER PRIMARY KEY, d INTEGER)")
        for (from, to) in zip(selection.source.entityNumbers, destination.entityNumbers) {
            try connection.execute("INSERT OR IGNORE INTO temp.ferry_numbers VALUES (\(from), \(to))")
        }
        for table in destination.tables {
            try number(table)
            try insert(table)
            try update(table)
        }
    }

    private func number(_ table: EntityTable) throws {
        let own = "root = \(table.root) AND state = \(State.inserted.rawValue)"
        let count = try connection.value("SELECT count(*) FROM \(MergeSelection.table) WHERE \(own)").integer ?? 0
        guard count > 0 else { return }
        guard let last = try keys.give(count, ofRoot: table.root) else {
            throw MergeError.keysExhausted(destination.model.entities[table.root].name)
        }
        try connection.execute(
            "UPDATE \(MergeSelection.table) AS m SET d = \(last) + n FROM (SELECT s AS k, row_number() OVER (ORDER BY s) "
                + "AS n FROM \(MergeSelection.table) WHERE \(own)) WHERE \(own) AND m.s = k")
    }

    private func insert(_ table: EntityTable) throws {
        guard let origin = selection.source.tables.first(where: { $0.root == table.root }) else { return }
        let columns = columns(table)
        try connection.execute(
            "INSERT INTO main.\(SQLiteIdentifier.quoted(table.name)) "
                + "(\((["Z_PK", "Z_ENT", "Z_OPT"] + columns.map(\.to)).joined(separator: ", "))) "
                + "SELECT m.d, (SELECT n.d FROM temp.ferry_numbers n WHERE n.s = o.Z_ENT), 1"
                + columns.map { ", o.\($0.from)" }.joined()
                + " FROM \(MergeSelection.table) m CROSS JOIN \(selection.name(origin)) o ON o.Z_PK = m.s "
                + "WHERE m.root = \(table.root) AND m.state = \(State.inserted.rawValue)")
    }

    /// Updates matching objects; those whose values are equal stay unchanged.
    private func update(_ table: EntityTable) throws {
        let columns = columns(table)
        guard let origin = selection.source.tables.first(where: { $0.root == table.root }), !columns.isEmpty else {
            return
        }
        let rows =
            "FROM \(MergeSelection.table) m CROSS JOIN \(selection.name(origin)) o ON o.Z_PK = m.s "
            + "WHERE m.root = \(table.root) AND m.state = \(State.updated.rawValue) AND m.d = t.Z_PK"
        let (from, to) = (columns.map { "o.\($0.from)" }, columns.map(\.to))
        // In parts, since a statement can compare only a limited number of values.
        var differs: [String] = []
        for start in stride(from: 0, to: columns.count, by: max(1, limits.comparedColumns)) {
            let piece = start..<min(start + max(1, limits.comparedColumns), columns.count)
            let (old, new) = (to[piece].map { "t.\($0)" }, from[piece])
            differs.append("(\(old.joined(separator: ", "))) IS NOT (\(new.joined(separator: ", ")))")
        }
        try connection.execute(
            "UPDATE main.\(SQLiteIdentifier.quoted(table.name)) AS t SET (\(to.joined(separator: ", "))) = "
                + "(SELECT \(from.joined(separator: ", ")) \(rows)), \(ObjectVersion.raised("t")) "
                + "WHERE Z_PK IN (SELECT d FROM \(MergeSelection.table) WHERE root = \(table.root) "
                + "AND state = \(State.updated.rawValue)) "
                + "AND EXISTS (SELECT 1 \(rows) AND (\(differs.joined(separator: " OR "))))")
    }

    /// Copies the external files of values to the destination, one after the other.
    func copyFiles(_ columns: [EditLog.ExternalColumn], _ reader: ExternalDataReader, _ external: ExternalData?) throws
    {
        for table in destination.tables {
            guard let origin = selection.source.tables.first(where: { $0.root == table.root }) else { continue }
            let name = "main.\(SQLiteIdentifier.quoted(table.name))"
            for column in self.columns(table)
            where columns.contains(where: { $0.table == name && $0.name == column.to }) {
                // A value with the name of a source file has been copied, but its file has not.
                let rows =
                    "\(name) t WHERE length(\(column.to)) = 38 AND substr(\(column.to), 1, 1) = x'02' AND EXISTS "
                    + "(SELECT 1 FROM \(MergeSelection.table) m CROSS JOIN \(selection.name(origin)) o ON o.Z_PK = m.s "
                    + "WHERE m.root = \(table.root) AND m.d = t.Z_PK AND m.state <= \(State.updated.rawValue) "
                    + "AND o.\(column.from) = t.\(column.to))"
                while let row = try connection.rows("SELECT Z_PK, \(column.to) FROM \(rows) LIMIT 1").first {
                    let inline = [1] + (try reader.bytes(of: row[1].blob ?? []))
                    let stored = try external?.stored(inline[...]) ?? inline
                    try connection.execute(
                        "UPDATE \(name) SET \(column.to) = ? WHERE Z_PK = ?", [.blob(stored), row[0]])
                }
            }
        }
    }

    /// Resets the versions of new objects, which count as changed once regardless of the number of their links.
    func resetVersions() throws {
        for table in destination.tables {
            try connection.execute(
                "UPDATE main.\(SQLiteIdentifier.quoted(table.name)) SET Z_OPT = 1 WHERE Z_OPT <> 1 AND Z_PK IN "
                    + "(SELECT d FROM \(MergeSelection.table) WHERE root = \(table.root) "
                    + "AND state = \(State.inserted.rawValue))")
        }
    }
}
