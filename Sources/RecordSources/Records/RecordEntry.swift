/// A record of a batch: its fields, its own bytes, and its place in the source.
public struct RecordEntry: Equatable, Sendable {
    /// The index of its first field in the batch.
    public internal(set) var firstField: UInt32
    /// The number of its fields: the number of columns, unless the record has a problem or additional fields are
    /// allowed.
    public internal(set) var fieldCount: UInt32
    /// The offset of its decoded bytes in the arena.
    public internal(set) var arenaStart: UInt32
    /// The number of its decoded bytes, including the line end.
    public internal(set) var arenaLength: UInt32
    /// The line on which it begins, counted from 1; for a database, the row.
    public internal(set) var line: Int
    /// The offset of its original bytes in the source.
    public internal(set) var sourceOffset: Int
    /// The number of its original bytes, including the line end.
    public package(set) var sourceLength: UInt32
    /// The index of its root in the batch's nodes; -1 for flat records.
    public internal(set) var rootNode: Int32
    /// The index of its problem in the batch's list; -1 for a valid record.
    @usableFromInline package var problemIndex: Int32

    @inline(__always)
    package init(
        firstField: Int, fieldCount: Int, arenaStart: Int, arenaLength: Int, line: Int, sourceOffset: Int,
        rootNode: Int = -1, problemIndex: Int = -1
    ) {
        self.firstField = UInt32(truncatingIfNeeded: firstField)
        self.fieldCount = UInt32(truncatingIfNeeded: fieldCount)
        self.arenaStart = UInt32(truncatingIfNeeded: arenaStart)
        self.arenaLength = UInt32(truncatingIfNeeded: arenaLength)
        self.line = line
        self.sourceOffset = sourceOffset
        sourceLength = UInt32(truncatingIfNeeded: arenaLength)
        self.rootNode = Int32(truncatingIfNeeded: rootNode)
        self.problemIndex = Int32(truncatingIfNeeded: problemIndex)
    }

    static let empty = RecordEntry(
        firstField: 0, fieldCount: 0, arenaStart: 0, arenaLength: 0, line: 0, sourceOffset: 0)

    /// Whether the record can be converted.
    @inlinable public var isReadable: Bool { problemIndex < 0 }

    var arenaRange: Range<Int> { Int(arenaStart)..<Int(arenaStart) + Int(arenaLength) }
    /// The range of its original bytes in the source.
    public var sourceRange: Range<Int> { sourceOffset..<sourceOffset + Int(sourceLength) }
}
