import PersistentStores
import SQLiteAccess

/// What a store has beside the objects of its model, and how it goes over: tables and objects of others, bookkeeping.
struct StoreSurroundings {
    let kept: KeptTables
    let programs: ProgramBuilder

    /// What was found before, and what this adds.
    let findings: [MigrationFinding]

    /// Whether any of them refuses the migration.
    var isRefused: Bool { findings.contains { $0.severity == .error } }

    init(
        _ planner: MigrationPlanner, _ builder: TransferBuilder, _ references: MigrationPlanner.ReferenceDecision,
        maximumKeys: [String: Int64], findings: [MigrationFinding]
    ) throws {
        let store = planner.store
        let keepsHistory = references.keepsHistory
        kept = KeptTables(
            schema: store.schema, owned: ProgramBuilder.ownedTables(of: builder.source), keepsHistory: keepsHistory)
        var findings = findings + planner.keptFindings(kept, builder.destination)
        // Tables that are refused cannot be tried on.
        let foreign =
            findings.contains { $0.severity == .error }
            ? ForeignObjects.none
            : try ForeignObjects(
                schema: store.schema, source: builder.source, destination: builder.destination, keptTables: kept)
        findings += foreign.findings
        self.findings = findings
        let bookkeeping = BookkeepingSteps(
            layout: builder.destination, metadata: planner.newMetadata(),
            systemRecords: store.entityRecords.filter {
                $0.isSystem && (keepsHistory || !MigrationPlanner.isHistory($0))
            },
            maximumKeys: maximumKeys)
        programs = ProgramBuilder(
            builder: builder, schema: store.schema, kept: kept, foreign: foreign, bookkeeping: bookkeeping,
            references: references.steps)
    }
}
