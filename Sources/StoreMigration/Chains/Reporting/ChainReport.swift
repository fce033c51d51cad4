public import PersistentStores

/// What a chain of migrations did.
public struct ChainReport: Sendable, Codable {
    public struct Edit: Sendable, Codable, Hashable {
        public let text: String
        /// The objects that were changed or removed; nil if code did it.
        public let objects: Int64?
    }

    public struct Step: Sendable, Codable {
        /// Counted from 1.
        public let number: Int
        public let source: String
        public let destination: String
        /// `inference`, or `mapping model NAME`.
        public let by: String
        public let reason: String
        /// nil if an earlier run has done it.
        public var migration: MigrationReport?
        public var edits: [Edit] = []
        /// What was found beside the migration itself.
        public var findings: [MigrationFinding] = []

        init(_ step: ChainPlan.Step) {
            number = step.number
            source = step.step.source.name
            destination = step.step.destination.name
            by = step.step.way
            reason = step.step.reason
        }
    }

    public let store: String
    public let result: String
    public let sourceVersion: String
    public let destinationVersion: String

    /// The steps of this run; one that an earlier run has finished is not among them.
    public let steps: [Step]
    public let stepCount: Int

    /// The number of the first part that this run did, where it went on with an earlier one.
    public let resumedAt: Int?

    public let findings: [MigrationFinding]
    public let rowsRead: Int64
    public let rowsWritten: Int64
    public let seconds: Double
    public let peakMemory: Int64
    public let backup: String?

    /// Where the work stood from moment to moment.
    public internal(set) var progress: [ProgressSample]?

    init(_ plan: ChainPlan, _ steps: [Step], resumedAt: Int?, seconds: Double) {
        store = plan.first.sourcePath
        result = plan.first.destinationPath
        sourceVersion = plan.sourceVersion
        destinationVersion = plan.destinationVersion
        self.steps = steps
        stepCount = plan.steps.count
        self.resumedAt = resumedAt
        var seen: Set<MigrationFinding> = []
        findings = steps.flatMap { ($0.migration?.findings ?? []) + $0.findings }.filter { seen.insert($0).inserted }
        let migrations = steps.compactMap(\.migration)
        rowsRead = migrations.first?.rowsRead ?? 0
        rowsWritten = migrations.last?.rowsWritten ?? 0
        self.seconds = seconds
        peakMemory = ProcessMemory.peak
        backup = plan.first.placement.backup
    }

    /// The report of the only migration, where the chain is one.
    public var single: MigrationReport? {
        guard stepCount == 1, steps.count == 1, steps[0].edits.isEmpty else { return nil }
        var migration = steps[0].migration
        migration?.progress = progress
        return migration
    }
}
