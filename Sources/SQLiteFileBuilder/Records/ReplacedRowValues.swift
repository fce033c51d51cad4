public import SQLiteAccess

/// Values that replace those of a row, by column. The memory is reused for the next row.
public struct ReplacedRowValues: ~Copyable {
    /// For each column, its value; nil if the row keeps its own.
    private var cells: [ArenaValue?]
    private var arena = ByteBuffer(capacity: 0)
    private var arenaEnd = 0
    private var isEmpty = true
    private let largestKept: Int

    /// Makes room for the values of a number of columns.
    public init(columns: Int, limits: BuildLimits = BuildLimits()) {
        cells = Array(repeating: nil, count: columns)
        largestKept = limits.keptRowBytes
    }

    /// Removes all values.
    public mutating func removeAll() {
        guard !isEmpty else { return }
        for index in cells.indices { cells[index] = nil }
        if arenaEnd > largestKept { arena = ByteBuffer(capacity: 0) }
        (isEmpty, arenaEnd) = (true, 0)
    }

    /// Returns whether a column has a value here.
    @inline(__always)
    public func isSet(_ column: Int) -> Bool { cells[column] != nil }

    /// Sets the value of a column.
    public mutating func set(_ value: SQLiteValue, at column: Int) {
        switch value {
        case .null: set(.null, column)
        case .integer(let number): set(.integer(number), column)
        case .real(let number): set(.real(number), column)
        case .text(let bytes): set(.text(append(bytes.span)), column)
        case .blob(let bytes): set(.blob(append(bytes.span)), column)
        }
    }

    /// Sets the value of a column to a text in UTF-8.
    public mutating func set(text: Span<UInt8>, at column: Int) { set(.text(append(text)), column) }

    private mutating func set(_ value: ArenaValue, _ column: Int) {
        cells[column] = value
        isEmpty = false
    }

    private mutating func append(_ bytes: Span<UInt8>) -> ArenaRange {
        arena.reserve(arenaEnd + bytes.count)
        arena.copy(bytes, at: arenaEnd)
        arenaEnd += bytes.count
        return ArenaRange(start: arenaEnd - bytes.count, count: bytes.count)
    }

    /// Returns a copy of a column's value; nil if it has none here.
    public func value(_ column: Int) -> SQLiteValue? {
        switch cells[column] {
        case nil: Optional<SQLiteValue>.none
        case .null: .some(.null)
        case .integer(let number): .integer(number)
        case .real(let number): .real(number)
        case .text(let range): .text(arena.withBytes(range.range) { Array(copying: $0) })
        case .blob(let range): .blob(arena.withBytes(range.range) { Array(copying: $0) })
        }
    }

    /// Adds the value of a column to a row; returns false if it has none here.
    @inline(__always)
    func add(_ column: Int, to row: inout AffinityEncoder) throws(BuildError) -> Bool {
        guard let cell = cells[column] else { return false }
        try arena.withBytes(0..<arenaEnd) { (bytes) throws(BuildError) in try row.add(cell, in: bytes) }
        return true
    }
}
