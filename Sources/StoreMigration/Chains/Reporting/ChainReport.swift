public import PersistentStores

/// What a chain of migrations did.
public struct ChainReport: Sendable, Codable {
    /// What an edit before or behind a step did.
    public struct Edit: Sendable, Codable, Hashable {
        /// What the edit does, in words.
        public let text: String
        /// The objects that were changed or removed; nil if code did it.
        public let objects: Int64?
    }

    /// What a step did.
    public struct Step: Sendable, Codable {
        /// The number of the step, from 1.
        public let number: Int
        /// The name of the version that the step began with.
        public let source: String
        /// The name of the version that the step ended with.
        public let destination: String
        /// `inference`, or `mapping model NAME`.
        public let by: String
        /// Why the chain went this way.
        public let reason: String
        /// What the migration of the step did; nil if an earlier run has done it.
        public var migration: MigrationReport?
        /// The edits before and behind the step, in their order.
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

    /// The path of the store.
    public let store: String
    /// The path of the result; the store's own where it was replaced.
    public let result: String
    /// The name of the version that the store had.
    public let sourceVersion: String
    /// The name of the version that the result has.
    public let destinationVersion: String

    /// The steps of this run; one that an earlier run has finished is not among them.
    public let steps: [Step]
    /// How many steps the chain has.
    public let stepCount: Int

    /// The number of the first part that this run did; nil if it began at the beginning.
    public let resumedAt: Int?

    /// The findings of all steps, each once.
    public let findings: [MigrationFinding]
    /// The rows that all steps of this run have read.
    public let rowsRead: Int64
    /// The rows that all steps of this run have written.
    public let rowsWritten: Int64
    /// The seconds that this run took.
    public let seconds: Double
    /// The most memory that the process ever had in use, in bytes.
    public let peakMemory: Int64
    /// The folder with the old files; nil if none was asked for.
    public let backup: String?

    /// Where the work stood from moment to moment.
    public internal(set) var progress: [ProgressSample]?

    init(_ plan: ChainPlan, _ steps: [Step], resumedAt: Int?, seconds: Double) {
        store = plan.first.shownPath
        result = plan.first.shownDestinationPath
        sourceVersion = plan.sourceVersion
        destinationVersion = plan.destinationVersion
        self.steps = steps
        stepCount = plan.steps.count
        self.resumedAt = resumedAt
        var seen: Set<MigrationFinding> = []
        findings = steps.flatMap { ($0.migration?.findings ?? []) + $0.findings }.filter { seen.insert($0).inserted }
        let migrations = steps.compactMap(\.migration)
        rowsRead = SaturatingSum.of(migrations.map(\.rowsRead))
        rowsWritten = SaturatingSum.of(migrations.map(\.rowsWritten))
        self.seconds = seconds
        peakMemory = ProcessMemory.peak
        backup = plan.first.placement.backup
    }

    /// The report of the only migration; nil if the chain has several steps, or edits.
    public var single: MigrationReport? {
        guard stepCount == 1, steps.count == 1, steps[0].edits.isEmpty else { return nil }
        var migration = steps[0].migration
        migration?.progress = progress
        return migration
    }
}
