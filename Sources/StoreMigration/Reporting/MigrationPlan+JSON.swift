/// The plan as a JSON document.
public struct MigrationPlanDocument: Codable, Sendable {
    /// A step of the migration's execution.
    public struct Step: Codable, Sendable {
        /// The kind of work.
        public let phase: MigrationStep.Phase
        /// The table that the step works on.
        public let table: String
        /// What the step does.
        public let summary: String
        /// The SQL text; nil if the step is not a single statement.
        public let sql: String?
    }

    /// The path of the store.
    public let store: String
    /// The UUID of the store, which the result keeps.
    public let storeUUID: String
    /// The path of the result, which is the path of the store if it is replaced.
    public let result: String
    /// The name of the version that the store has.
    public let sourceVersion: String
    /// The name of the version that the result will have.
    public let destinationVersion: String
    /// The configuration whose entities the store contains; nil if it contains all.
    public let configuration: String?
    /// Whether the store already has the destination version.
    public let upToDate: Bool
    /// How the result is written.
    public let method: MigrationPlan.Method
    /// The reason for the method, as a clause.
    public let methodReason: String
    /// How the rows of each entity are migrated.
    public let entities: [MigrationPlan.EntityPlan]
    /// Tables that are kept although their meaning is not known.
    public let keptTables: [String]
    /// The largest number of bytes that the migration writes.
    public let bytesNeeded: Int64
    /// The number of free bytes where it writes; nil if it is not known.
    public let bytesFree: Int64?
    /// The space of a backup on another file system; nil if there is none.
    public let backupSpace: BackupSpace?
    /// The findings about the data and the models.
    public let findings: [MigrationFinding]
    /// The verdict, as a sentence.
    public let verdict: String
    /// The steps in order; empty if the migration is refused.
    public let steps: [Step]

    /// Creates the document of a plan.
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
