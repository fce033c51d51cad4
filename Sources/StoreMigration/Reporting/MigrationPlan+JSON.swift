/// The plan as a JSON document has it.
public struct MigrationPlanDocument: Codable, Sendable {
    /// A step of the migration's execution.
    public struct Step: Codable, Sendable {
        /// What kind of work it is.
        public let phase: MigrationStep.Phase
        /// The table that the step works on.
        public let table: String
        /// What the step does.
        public let summary: String
        /// The SQL text; nil if the step is not one statement.
        public let sql: String?
    }

    /// The path of the store.
    public let store: String
    /// The UUID of the store, which the result has too.
    public let storeUUID: String
    /// The path of the result; the store's own where it is replaced.
    public let result: String
    /// The name of the version that the store has.
    public let sourceVersion: String
    /// The name of the version that the result will have.
    public let destinationVersion: String
    /// The configuration whose entities the store holds; nil if it holds all.
    public let configuration: String?
    /// Whether the store is at the destination version already.
    public let upToDate: Bool
    /// Whether the result is made in a new file, a copy, or the original.
    public let method: MigrationPlan.Method
    /// Why it is made so, as a clause.
    public let methodReason: String
    /// What becomes of the rows of each entity.
    public let entities: [MigrationPlan.EntityPlan]
    /// Tables that are kept without being understood.
    public let keptTables: [String]
    /// Bytes that the migration writes at the most.
    public let bytesNeeded: Int64
    /// Bytes that are free where it writes; nil if that is not known.
    public let bytesFree: Int64?
    /// What a backup takes on another file system; nil if none goes there.
    public let backupSpace: BackupSpace?
    /// What the plan found out about the data and the models.
    public let findings: [MigrationFinding]
    /// The outcome in a sentence.
    public let verdict: String
    /// The steps in their order; empty if the plan refuses.
    public let steps: [Step]

    /// Makes the document of a plan.
    public init(_ plan: MigrationPlan) {
        store = plan.shownPath
        storeUUID = plan.storeUUID
        result = plan.shownDestinationPath
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
