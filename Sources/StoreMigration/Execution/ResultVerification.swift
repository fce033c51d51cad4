import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// Checks a migrated database before it takes its place.
struct ResultVerification {
    let connection: Connection
    let layout: StoreLayout

    /// The tables that are not the model's and have to be there too.
    let keptTables: [String]

    /// The rows that were written, by entity table.
    let expectedRows: [String: Int64]

    /// What is wrong; empty if all is well.
    ///
    /// - Parameter comparesIndexes: whether, where pages are checked, indexes are compared with their tables.
    func faults(checksPages: Bool, comparesIndexes: Bool) throws(SQLiteError) -> [String] {
        var faults: [String] = []
        let schema = try StoreSchema(of: connection)
        let numbers = try connection.rows("SELECT Z_NAME, Z_ENT FROM Z_PRIMARYKEY").reduce(into: [String: Int]()) {
            $0[$1[0].string ?? ""] = Int($1[1].integer ?? 0)
        }
        let found = LayoutMatching.layout(of: layout.model, in: schema, numbersByName: numbers)
        faults += found.problems.map(\.description)
        for table in layout.tables {
            guard let actual = schema.table(named: table.name) else { continue }
            let wanted = Set(table.columns.map(\.name))
            let surplus = actual.columns.map(\.name).filter { !wanted.contains($0) }
            let missing = wanted.subtracting(actual.columns.map(\.name))
            if !surplus.isEmpty { faults.append("\(table.name) has the columns \(surplus.joined(separator: ", "))") }
            if !missing.isEmpty { faults.append("\(table.name) lacks \(missing.sorted().joined(separator: ", "))") }
        }
        for entity in layout.model.entities where numbers[entity.name] != layout.entityNumbers[entity.slot] {
            faults.append("Z_PRIMARYKEY does not number \(entity.name) \(layout.entityNumbers[entity.slot])")
        }
        faults += tableFaults(schema)
        faults += try rowFaults()
        if checksPages {
            // In place nothing is committed before it is checked.
            faults +=
                connection.isInTransaction
                ? try SourceVerification.faultsFoundBySQLite(connection, comparesIndexes: comparesIndexes)
                : try SourceVerification.faults(of: connection, comparesIndexes: comparesIndexes)
        }
        return faults
    }

    /// Working tables that are still there, and kept tables that are not.
    private func tableFaults(_ schema: StoreSchema) -> [String] {
        let modelled = layout.tables.map(\.name) + layout.joinTables.map(\.name)
        let known = Set((modelled + keptTables).map { $0.uppercased() }).union(KeptTables.bookkeeping)
        let surplus = schema.tables.map(\.name).filter {
            !known.contains($0.uppercased()) && !$0.uppercased().hasPrefix("SQLITE_")
        }
        return surplus.map { "the table \($0) is still there" }
            + keptTables.filter { schema.table(named: $0) == nil }.map { "the table \($0) is gone" }
    }

    private func rowFaults() throws(SQLiteError) -> [String] {
        var faults: [String] = []
        for (table, count) in expectedRows.sorted(by: { $0.key < $1.key }) {
            let found = try connection.value("SELECT count(*) FROM main.\(SQLiteIdentifier.quoted(table))").integer ?? 0
            if found != count { faults.append("\(table) has \(found) rows instead of \(count)") }
        }
        return faults
    }
}
