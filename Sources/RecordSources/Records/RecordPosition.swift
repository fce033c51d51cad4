/// A place between two records, from which a source can be read on.
public struct RecordPosition: Equatable, Sendable, Codable {
    /// How many bytes of the source lie before it; 0 for a database.
    public var byteOffset: Int
    /// The line that begins there, counted from 1.
    public var line: Int
    /// How many records lie before it, rejected ones included, header and comments not.
    public var record: Int

    /// Makes a position.
    public init(byteOffset: Int, line: Int, record: Int) {
        self.byteOffset = byteOffset
        self.line = line
        self.record = record
    }

    /// Before the first record.
    public static let start = RecordPosition(byteOffset: 0, line: 1, record: 0)
}
