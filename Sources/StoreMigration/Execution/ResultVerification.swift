import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import SQLiteFileBuilder

/// Checks a migrated database before it replaces the store or is committed.
struct ResultVerification {
    let connection: Connection
    let layout: StoreLayout

    /// The tables that do not belong to the model, and must exist too.
    let keptTables: [String]

    /// The number of rows that were written to each entity table.
    let expectedRows: [String: Int64]

    /// Returns the faults of the database; an empty array if it has none.
    ///
    /// - Parameters:
    ///   - checksPages: whether every page is checked.
    ///   - comparesIndexes: whether the check of pages also compares the indexes with their tables.
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
            // In place, the database is checked before the transaction is committed.
            faults +=
                connection.isInTransaction
                ? try SourceVerification.faultsFoundBySQLite(connection, comparesIndexes: comparesIndexes)
                : try SourceVerification.faults(of: connection, comparesIndexes: comparesIndexes)
        }
        return faults
    }

    /// Returns the working tables that still exist, and the kept tables that are missing.
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
            let found = try RowCount.rows(of: table, on: connection)
            if found != count { faults.append("\(table) has \(found) rows instead of \(count)") }
        }
        return faults
    }
}
