public import SQLiteAccess

/// Rows that were read ahead, with the values of some columns in the form in which records store them.
///
/// The accessors refer to the current row. A block is passed between threads, and only one thread at a time may use it.
public final class RecordBlock: @unchecked Sendable {
    /// For each column, the affinity that determines how its values are stored: real columns store whole numbers as
    /// integers.
    let affinities: [ColumnAffinity]
    private let encoding: DatabaseFile.TextEncoding
    private let largestKept: Int
    @exclusivity(unchecked) private(set) var bytes = ByteBuffer(capacity: 0)
    /// For each row and column, the type of the value and the offset of its first byte, four bytes each.
    @exclusivity(unchecked) private var slots = ByteBuffer(capacity: 0)
    @exclusivity(unchecked) private var keys: [Int64] = []
    /// The slot of the first value of the current row.
    @exclusivity(unchecked) private var first = 0
    /// The number of bytes that the rows take.
    @exclusivity(unchecked) public private(set) var size = 0

    private static let slotSize = 8

    /// Creates an empty block.
    /// - Parameters:
    ///   - affinities: for each column, the affinity of the table column that has the values; `blob` for values in the
    ///     form in which a statement returns them.
    ///   - encoding: the encoding of the texts in the records or in the database of the statement that fills the block.
    ///   - limits: determines how much memory the block keeps.
    public init(
        _ affinities: [ColumnAffinity], encoding: DatabaseFile.TextEncoding = .utf8,
        limits: BuildLimits = BuildLimits()
    ) {
        self.affinities = affinities
        self.encoding = encoding
        largestKept = limits.keptRowBytes
    }

    /// The number of rows.
    public var count: Int { keys.count }

    /// Whether the block takes too much memory to keep several of them.
    public var isLarge: Bool { size > largestKept }

    /// Removes the rows. The memory is kept for the next rows, unless it is large.
    public func removeAll() {
        if isLarge { bytes = ByteBuffer(capacity: 0) }
        keys.removeAll(keepingCapacity: true)
        (size, first) = (0, 0)
    }

    /// Exchanges the rows with another block of the same columns.
    public func exchange(_ other: RecordBlock) {
        swap(&bytes, &other.bytes)
        swap(&slots, &other.slots)
        swap(&keys, &other.keys)
        swap(&size, &other.size)
        (first, other.first) = (0, 0)
    }

    // MARK: - Filling

    /// Adds the current row of a statement, whose first columns are the columns of the block.
    ///
    /// - Parameters:
    ///   - statement: a statement that has a row.
    ///   - key: the column that holds the row's key.
    public func append(_ statement: Statement, key: Int32) {
        beginRow(statement.integer(key))
        for column in affinities.indices {
            statement.withValue(Int32(column)) { value in
                switch value.storageClass {
                case .null: add(column, type: SerialType.null, size)
                case .integer: add(column, type: SerialType.largestInteger, append(UInt64(bitPattern: value.integer)))
                case .real: add(column, type: SerialType.real, append(value.real.bitPattern))
                case .text: value.withStoredBytes { append(column, $0, isText: true) }
                case .blob: value.withStoredBytes { append(column, $0, isText: false) }
                }
            }
        }
    }

    private func append(_ column: Int, _ value: Span<UInt8>, isText: Bool) {
        add(column, type: SerialType.bytes(value.count, isText: isText), append(value))
    }

    /// Adds a row that has been read.
    ///
    /// - Parameters:
    ///   - parts: for each column, where its value is.
    ///   - constants: the values that all rows share.
    @inline(__always)
    func append(
        _ rowID: Int64, _ values: borrowing RecordValues, of record: Span<UInt8>, _ parts: [RecordRows.Part],
        _ constants: borrowing RecordEncoder
    ) {
        if keys.isEmpty {
            bytes.reserve(constants.bodyEnd)
            bytes.copy(constants.body, 0..<constants.bodyEnd, at: 0)
            size = constants.bodyEnd
        }
        beginRow(rowID)
        let start = append(record)
        for column in parts.indices {
            switch parts[column] {
            case .null: add(column, type: SerialType.null, start)
            case .rowID: add(column, type: SerialType.largestInteger, append(UInt64(bitPattern: rowID)))
            case .constant(let slot): add(column, type: slot.type, slot.start)
            case .value(let position):
                if position < values.count {
                    add(column, type: values.type(position), start + values.start(position))
                } else {
                    add(column, type: SerialType.null, start)
                }
            case .filled(let position, let isReal, let slot):
                guard position < values.count, values.type(position) != SerialType.null else {
                    add(column, type: slot.type, slot.start)
                    continue
                }
                if isReal, SerialType.isInteger(values.type(position)) {
                    add(column, type: SerialType.real, append(values.real(position, of: record).bitPattern))
                } else {
                    add(column, type: values.type(position), start + values.start(position))
                }
            }
        }
    }

    @inline(__always)
    private func beginRow(_ key: Int64) {
        first = keys.count * affinities.count
        slots.reserve((first + affinities.count) * Self.slotSize)
        keys.append(key)
    }

    @inline(__always)
    private func add(_ column: Int, type: UInt64, _ start: Int) {
        slots.store(
            type << 32 | UInt64(truncatingIfNeeded: start) & 0xffff_ffff, at: (first + column) * Self.slotSize)
    }

    @inline(__always)
    private func append(_ value: UInt64) -> Int {
        bytes.reserve(size + 8)
        bytes.store(value, at: size)
        size += 8
        return size - 8
    }

    @inline(__always)
    private func append(_ value: Span<UInt8>) -> Int {
        bytes.reserve(size + value.count)
        bytes.copy(value, at: size)
        size += value.count
        return size - value.count
    }

    // MARK: - The current row

    /// Makes a row the current one, and returns its key.
    public func move(to row: Int) -> Int64 {
        first = row * affinities.count
        return keys[row]
    }

    /// Returns the place of a value; for a row that does not exist, the place of NULL.
    @inline(__always)
    func slot(_ column: Int) -> RecordEncoder.Slot {
        guard first < keys.count * affinities.count else { return RecordEncoder.Slot() }
        let bits = slots.load(UInt64.self, at: (first + column) * Self.slotSize)
        return RecordEncoder.Slot(type: bits >> 32, start: Int(bits & 0xffff_ffff))
    }

    /// Returns the storage class of the value as a statement would report it.
    public func storageClass(_ column: Int) -> StorageClass {
        let slot = slot(column)
        switch slot.type {
        case SerialType.null: return .null
        case SerialType.real: return real(slot).isNaN ? .null : .real
        case 1...9: return affinities[column] == .real ? .real : .integer
        default: return SerialType.isText(slot.type) ? .text : .blob
        }
    }

    /// Returns the integer; 0 for all other values.
    public func integer(_ column: Int) -> Int64 {
        let slot = slot(column)
        return SerialType.isInteger(slot.type) ? SerialType.loadInteger(bytes, slot.type, at: slot.start) : 0
    }

    /// Returns the number as a real; 0 for all other values.
    public func real(_ column: Int) -> Double { real(slot(column)) }

    private func real(_ slot: RecordEncoder.Slot) -> Double {
        if slot.type == SerialType.real { return Double(bitPattern: bytes.load(at: slot.start)) }
        return SerialType.isInteger(slot.type)
            ? Double(SerialType.loadInteger(bytes, slot.type, at: slot.start)) : 0
    }

    /// Returns the text, with invalid UTF-8 replaced by U+FFFD; nil for all other values.
    public func string(_ column: Int) -> String? {
        let slot = slot(column)
        guard SerialType.isText(slot.type) else { return nil }
        guard encoding == .utf8 else { return String(decoding: bytes(column), as: UTF8.self) }
        return bytes.string(slot.start..<slot.start + SerialType.length(slot.type))
    }

    /// Returns the bytes of a text in UTF-8 or of a blob; an empty array for numbers and NULL.
    public func bytes(_ column: Int) -> [UInt8] {
        let slot = slot(column)
        guard slot.type >= 12 else { return [] }
        return bytes.withBytes(slot.start..<slot.start + SerialType.length(slot.type)) {
            SerialType.isText(slot.type) ? encoding.utf8($0) : Array(copying: $0)
        }
    }

    /// Returns the value as a statement would return it.
    public func value(_ column: Int) -> SQLiteValue {
        switch storageClass(column) {
        case .null: .null
        case .integer: .integer(integer(column))
        case .real: .real(real(column))
        case .text: .text(bytes(column))
        case .blob: .blob(bytes(column))
        }
    }
}
