/// A place between two records, at which reading a source can continue.
public struct RecordPosition: Equatable, Sendable, Codable {
    /// The number of bytes of the source before the position; 0 for a database.
    public var byteOffset: Int
    /// The line that begins at the position, counted from 1.
    public var line: Int
    /// The number of records before the position, including rejected ones, but not the header and comments.
    public var record: Int

    /// Creates a position.
    public init(byteOffset: Int, line: Int, record: Int) {
        self.byteOffset = byteOffset
        self.line = line
        self.record = record
    }

    /// The position before the first record.
    public static let start = RecordPosition(byteOffset: 0, line: 1, record: 0)
}
