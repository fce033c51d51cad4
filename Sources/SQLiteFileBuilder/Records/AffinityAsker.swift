internal import SQLiteAccess

/// Asks SQLite what a column would store, for rare values whose conversion follows many rules.
final class AffinityAsker {
    private var connection: Connection?
    private var statements: [ColumnAffinity: (store: Statement, load: Statement)] = [:]

    func stored(_ value: SQLiteValue, _ affinity: ColumnAffinity) throws(BuildError) -> SQLiteValue {
        do throws(SQLiteError) {
            let (store, load) = try statements(for: affinity)
            try store.bind(value, at: 1)
            try store.run()
            guard try load.step() else { return .null }
            defer { load.reset() }
            return load.value(0)
        } catch {
            throw BuildError(.conversion("SQLite could not convert a value: \(error)"), path: ":memory:")
        }
    }

    private func statements(for affinity: ColumnAffinity) throws(SQLiteError) -> (store: Statement, load: Statement) {
        if let known = statements[affinity] { return known }
        let connection: Connection
        if let known = self.connection {
            connection = known
        } else {
            connection = try Connection(path: ":memory:", access: .create)
            self.connection = connection
        }
        let type =
            switch affinity {
            case .blob: "BLOB"
            case .text: "TEXT"
            case .numeric: "NUMERIC"
            case .integer: "INTEGER"
            case .real: "REAL"
            }
        let table = "asked_\(type)"
        try connection.execute("CREATE TABLE \(table) (value \(type)); INSERT INTO \(table) VALUES (NULL)")
        let made = (
            store: try connection.prepare("UPDATE \(table) SET value = ?1", persistent: true),
            load: try connection.prepare("SELECT value FROM \(table)", persistent: true)
        )
        statements[affinity] = made
        return made
    }
}
