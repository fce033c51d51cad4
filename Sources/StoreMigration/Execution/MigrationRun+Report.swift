import ManagedObjectModels
import PersistentStores
import SQLiteAccess

extension MigrationRun {
    /// Returns findings about rows that were removed, or counted but not written, although their entity was not
    /// removed: their entity number does not belong to the table.
    private func strangers(_ plan: MigrationPlan, _ runner: StepRunner?) -> [MigrationFinding] {
        // A mapping model may leave out rows deliberately.
        guard let runner, plan.program?.usesExpressionFunctions != true,
            !(checked ?? plan).findings.contains(where: { $0.code == "unknown-entity-number" })
        else { return [] }
        let left = plan.tableRows.compactMap { table, planned in
            runner.rowsByTable[table].map { (table, planned - $0) }
        }
        let counts = Dictionary(left, uniquingKeysWith: max).merging(runner.strangersByTable, uniquingKeysWith: max)
        return counts.filter { $0.value > 0 }.sorted { $0.key < $1.key }.map { table, count in
            MigrationFinding(
                .warning, "unknown-entity-number", subject: table,
                message: "rows of the source have an entity number that does not belong to the table; they are not "
                    + "objects, and did not go over", count: count)
        }
    }

    func report(_ plan: MigrationPlan, runner: StepRunner?, seconds: Double) -> MigrationReport {
        let entities = plan.entities.map { entity in
            // The actual number of rows, which may differ from the plan.
            let written: Int64? =
                runner?.rowsByMapping[entity.mapping] ?? entity.destination.map { resultCounts?.byEntity[$0] }
                ?? entity.rows.map { _ in 0 }
            let dropped = entity.rows.flatMap { read in written.map { max(0, read - $0) } }
            return MigrationReport.EntityReport(
                mapping: entity.mapping, source: entity.source, destination: entity.destination, tier: entity.tier,
                read: entity.rows, written: written, dropped: dropped,
                seconds: entity.table.flatMap { runner?.secondsByTable[$0] } ?? 0)
        }
        return MigrationReport(
            store: plan.shownPath, result: plan.shownDestinationPath, sourceVersion: plan.sourceVersion,
            destinationVersion: plan.destinationVersion, method: plan.method.rawValue, entities: entities,
            findings: (checked ?? plan).findings + strangers(plan, runner) + findings
                + (runner?.losses ?? []).map { MigrationFinding(loss: $0.object, reason: $0.reason) },
            keptTables: plan.keptTables,
            rowsRead: entities.reduce(0) { $0 + ($1.read ?? 0) },
            rowsWritten: entities.reduce(0) { $0 + ($1.written ?? 0) },
            rowsDropped: entities.reduce(0) { $0 + ($1.dropped ?? 0) }, stages: stageSeconds, seconds: seconds,
            peakMemory: ProcessMemory.peak, backup: plan.placement.backup)
    }
}
