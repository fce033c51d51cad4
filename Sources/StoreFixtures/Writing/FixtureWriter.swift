import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// Writes the rows of a plan in batches: objects in the order of their keys, then the rows of join tables.
struct FixtureWriter {
    private let plan: FixturePlan
    private let connection: Connection
    private let files: FixtureExternalData
    private let options: FixtureOptions
    private var rowsInBatch = 0

    init(_ plan: FixturePlan, _ connection: Connection, _ files: FixtureExternalData, options: FixtureOptions) {
        self.plan = plan
        self.connection = connection
        self.files = files
        self.options = options
    }

    mutating func write() throws {
        try connection.execute("BEGIN")
        for table in plan.layout.tables { try write(table) }
        for table in plan.layout.joinTables { try write(table) }
        for root in plan.model.rootSlots {
            let entity = plan.model.entities[root]
            try connection.execute(
                "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?",
                [
                    .integer(Int64(plan.counts.population(of: root).count)),
                    .integer(Int64(plan.layout.entityNumbers[entity.slot])),
                ])
        }
        try connection.execute("COMMIT")
    }

    private func insertion(into table: String, columns: [String]) throws -> Statement {
        let names = columns.map(SQLiteIdentifier.bare).joined(separator: ", ")
        let places = columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
        return try connection.prepare(
            "INSERT INTO \(SQLiteIdentifier.bare(table)) (\(names)) VALUES (\(places))", persistent: true)
    }

    private mutating func write(_ table: EntityTable) throws {
        let statement = try insertion(into: table.name, columns: table.columns.map(\.name))
        let total = Int64(plan.counts.population(of: table.root).count)
        var numberInTable = 0
        for slot in plan.model.entities[table.root].subtree {
            var row = FixtureRow(plan, entity: plan.model.entities[slot], table: table)
            for number in 0..<plan.counts.counts[slot] {
                try row.bind(number, numberInTable, to: statement, files)
                try statement.run()
                numberInTable += 1
                try count(table.name, Int64(numberInTable), total)
            }
        }
    }

    private mutating func write(_ table: JoinTable) throws {
        guard let link = plan.link(ofJoinTable: table) else { return }
        let columns =
            [table.ownerColumn, table.destinationColumn]
            + [table.inverseOrderColumn, table.orderColumn].compactMap { $0 }
        let statement = try insertion(into: table.name, columns: columns)
        for number in 0..<link.links.joinRows {
            guard let (first, second) = link.links.joinRow(number) else { return }
            var values: [SQLiteValue] = [
                .integer(link.first.primaryKey(first.number)), .integer(link.second.primaryKey(second.number)),
            ]
            if table.inverseOrderColumn != nil { values.append(.integer(first.orderKey)) }
            if table.orderColumn != nil { values.append(.integer(second.orderKey)) }
            try statement.bind(values)
            try statement.run()
            try count(table.name, Int64(number + 1), Int64(link.links.joinRows))
        }
    }

    /// Ends a batch where it is full.
    private mutating func count(_ table: String, _ rows: Int64, _ total: Int64) throws {
        rowsInBatch += 1
        guard rowsInBatch % options.fixedLimits.reportedRows == 0 || rows == total else { return }
        if options.isCancelled() { throw FixtureError.cancelled }
        options.onProgress(table, rows, total)
        guard rowsInBatch >= options.batchRows else { return }
        rowsInBatch = 0
        try connection.execute("COMMIT; BEGIN")
    }
}
