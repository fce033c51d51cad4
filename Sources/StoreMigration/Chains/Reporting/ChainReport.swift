public import PersistentStores

/// The result of a chain of migrations.
public struct ChainReport: Sendable, Codable {
    /// The result of an edit before or after a step.
    public struct Edit: Sendable, Codable, Hashable {
        /// A description of the edit.
        public let text: String
        /// The number of objects that were changed or removed; nil for code.
        public let objects: Int64?
    }

    /// The result of a step.
    public struct Step: Sendable, Codable {
        /// The number of the step, from 1.
        public let number: Int
        /// The name of the version that the step began with.
        public let source: String
        /// The name of the version that the step ended with.
        public let destination: String
        /// `inference`, or `mapping model NAME`.
        public let by: String
        /// The reason for this step.
        public let reason: String
        /// The result of the step's migration; nil if an earlier run has executed it.
        public var migration: MigrationReport?
        /// The edits before and after the step, in order.
        public var edits: [Edit] = []
        /// The findings in addition to those of the migration itself.
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
    /// The path of the result, which is the path of the store if it was replaced.
    public let result: String
    /// The name of the version that the store had.
    public let sourceVersion: String
    /// The name of the version that the result has.
    public let destinationVersion: String

    /// The steps of this run, without those that an earlier run has finished.
    public let steps: [Step]
    /// The number of steps in the chain.
    public let stepCount: Int

    /// The number of the first part that this run has executed; nil if it began with the first one.
    public let resumedAt: Int?

    /// The findings of all steps, without duplicates.
    public let findings: [MigrationFinding]
    /// The number of rows that all steps of this run have read.
    public let rowsRead: Int64
    /// The number of rows that all steps of this run have written.
    public let rowsWritten: Int64
    /// The duration of this run in seconds.
    public let seconds: Double
    /// The peak memory use of the process, in bytes.
    public let peakMemory: Int64
    /// The folder with the old files; nil if none was requested.
    public let backup: String?

    /// Samples of the progress over time.
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
