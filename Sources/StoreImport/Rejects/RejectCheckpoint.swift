/// The state of the files of rejected records at a point from which a run can be continued.
public struct RejectCheckpoint: Equatable, Sendable, Codable {
    /// The number of rejected records.
    public var recordCount = 0
    /// The number of bytes of each file; for a database, of its rows.
    public var counts: [String: Int] = [:]
    /// The path of each source's file.
    public var paths: [String: String] = [:]

    /// The folder of the files, without symbolic links; nil if it is not known.
    public var directory: String?

    /// Creates the checkpoint of a run without rejected records.
    public init() {}

    /// Adds later changes.
    mutating func merge(_ changes: RejectCheckpoint) {
        directory = changes.directory ?? directory
        recordCount = max(recordCount, changes.recordCount)
        counts.merge(changes.counts) { _, new in new }
        paths.merge(changes.paths) { _, new in new }
    }
}
