/// The plan as a JSON document has it.
public struct MigrationPlanDocument: Codable, Sendable {
    public struct Step: Codable, Sendable {
        public let phase: MigrationStep.Phase
        public let table: String
        public let summary: String
        public let sql: String?
    }

    public let store: String
    public let storeUUID: String
    public let result: String
    public let sourceVersion: String
    public let destinationVersion: String
    public let configuration: String?
    public let upToDate: Bool
    public let method: MigrationPlan.Method
    public let methodReason: String
    public let entities: [MigrationPlan.EntityPlan]
    public let keptTables: [String]
    public let bytesNeeded: Int64
    public let bytesFree: Int64?
    public let backupSpace: BackupSpace?
    public let findings: [MigrationFinding]
    public let verdict: String
    public let steps: [Step]

    public init(_ plan: MigrationPlan) {
        store = plan.sourcePath
        storeUUID = plan.storeUUID
        result = plan.destinationPath
        sourceVersion = plan.sourceVersion
        destinationVersion = plan.destinationVersion
        configuration = plan.configuration
        upToDate = plan.isUpToDate
        method = plan.method
        methodReason = plan.methodReason
        entities = plan.entities
        keptTables = plan.keptTables
        bytesNeeded = plan.bytesNeeded
        bytesFree = plan.bytesFree
        backupSpace = plan.backupSpace
        findings = plan.findings
        verdict = plan.verdict
        steps = plan.steps.map { Step(phase: $0.phase, table: $0.table, summary: $0.summary, sql: $0.sql) }
    }
}
