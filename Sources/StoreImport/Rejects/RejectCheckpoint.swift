/// How far the files of rejected records had come at a point of a run that it can go on from.
public struct RejectCheckpoint: Equatable, Sendable, Codable {
    /// How many records were rejected.
    public var recordCount = 0
    /// The bytes of each file, of a database its rows.
    public var counts: [String: Int] = [:]
    /// The file of each source.
    public var paths: [String: String] = [:]

    /// The folder of the files, without symbolic links; nil if that is not known.
    public var directory: String?

    /// Makes the checkpoint of a run that has rejected nothing.
    public init() {}

    /// Takes over what has changed since.
    mutating func merge(_ changes: RejectCheckpoint) {
        directory = changes.directory ?? directory
        recordCount = max(recordCount, changes.recordCount)
        counts.merge(changes.counts) { _, new in new }
        paths.merge(changes.paths) { _, new in new }
    }
}
