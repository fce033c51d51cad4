import ManagedObjectModels
import PersistentStores
import SQLiteFileBuilder
import StoreAssembly

/// Writes the rows of a plan: objects in the order of their keys, then the rows of join tables.
struct FixtureWriter {
    private let plan: FixturePlan
    private let build: NewStoreBuild
    private let files: StagedExternalData
    private let options: FixtureOptions
    private var rowsWritten = 0

    init(_ plan: FixturePlan, _ build: NewStoreBuild, _ files: StagedExternalData, options: FixtureOptions) {
        self.plan = plan
        self.build = build
        self.files = files
        self.options = options
    }

    mutating func write() throws {
        for table in plan.layout.tables { try write(table) }
        for table in plan.layout.joinTables { try write(table) }
    }

    private mutating func write(_ table: EntityTable) throws {
        let builder = try build.rows(of: table).builder
        let total = Int64(plan.counts.population(of: table.root).count)
        var numberInTable = 0
        for slot in plan.model.entities[table.root].subtree {
            var row = FixtureRow(plan, entity: plan.model.entities[slot], table: table)
            for number in 0..<plan.counts.counts[slot] {
                try row.append(number, numberInTable, to: builder, files)
                numberInTable += 1
                try count(table.name, Int64(numberInTable), total)
            }
        }
    }

    private mutating func write(_ table: JoinTable) throws {
        guard let link = plan.link(ofJoinTable: table) else { return }
        let rows = try build.rows(of: table)
        for number in 0..<link.links.joinRows {
            guard let (first, second) = link.links.joinRow(number) else { return }
            try rows.append(
                link.first.primaryKey(first.number), link.second.primaryKey(second.number), order: second.orderKey,
                inverseOrder: first.orderKey)
            try count(table.name, Int64(number + 1), Int64(link.links.joinRows))
        }
    }

    private mutating func count(_ table: String, _ rows: Int64, _ total: Int64) throws {
        rowsWritten += 1
        guard rowsWritten % options.fixedLimits.reportedRows == 0 || rows == total else { return }
        if options.isCancelled() { throw FixtureError.cancelled }
        options.onProgress(table, rows, total)
    }
}
