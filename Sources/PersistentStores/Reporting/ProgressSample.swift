/// Where long work stood at a moment.
public struct ProgressSample: Hashable, Sendable, Codable {
    /// Since the work began.
    public let seconds: Double

    /// What was being done, such as `transferring`.
    public let stage: String

    /// Rows, or records of a source, that were done by then.
    public let rows: Int64

    /// The memory that the process had resident, in bytes.
    public let memory: Int64

    /// Makes a sample.
    public init(seconds: Double, stage: String, rows: Int64, memory: Int64) {
        self.seconds = seconds
        self.stage = stage
        self.rows = rows
        self.memory = memory
    }
}
