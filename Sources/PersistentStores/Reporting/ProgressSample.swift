/// The progress of a long operation at one moment.
public struct ProgressSample: Hashable, Sendable, Codable {
    /// The time since the operation began, in seconds.
    public let seconds: Double

    /// The current stage, such as `transferring`.
    public let stage: String

    /// The number of rows, or of records of a source, that have been processed.
    public let rows: Int64

    /// The resident memory of the process, in bytes.
    public let memory: Int64

    /// Makes a sample.
    public init(seconds: Double, stage: String, rows: Int64, memory: Int64) {
        self.seconds = seconds
        self.stage = stage
        self.rows = rows
        self.memory = memory
    }
}
