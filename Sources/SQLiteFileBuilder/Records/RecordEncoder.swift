/// Encodes the values of a row as a record ("Database File Format", section 2.1): a header with the type of each value,
/// followed by the bytes of the values. Its memory is reused for the next row.
struct RecordEncoder: ~Copyable {
    /// The place of a value, for the indexes that need it again.
    struct Slot {
        var type: UInt64 = 0
        var start = 0
    }

    /// The types, after space for the size of the header.
    private var header: ByteBuffer
    private var headerStart = Self.room
    private var headerEnd = Self.room
    private(set) var body = ByteBuffer(capacity: 1024)
    private(set) var bodyEnd = 0
    private(set) var count = 0
    /// The types and offsets of the values, four bytes each, which is enough for the largest row.
    private var slots: ByteBuffer
    let columns: Int

    private static let room = Varint.maximumLength

    /// - Parameter columns: the number of values in a record.
    init(columns: Int) {
        self.columns = columns
        header = ByteBuffer(capacity: Self.room + columns * Varint.maximumLength)
        slots = ByteBuffer(capacity: columns * 8)
    }

    /// Returns the place of the value at a position, counted from 0.
    @inline(__always)
    func slot(_ position: Int) -> Slot {
        let bits = slots.load(UInt64.self, at: position * 8)
        return Slot(type: bits >> 32, start: Int(bits & 0xffff_ffff))
    }

    mutating func removeAll() {
        (headerStart, headerEnd, bodyEnd, count) = (Self.room, Self.room, 0, 0)
    }

    /// A point in the row: the values up to it.
    struct End {
        fileprivate let (headerEnd, bodyEnd, count): (Int, Int, Int)
    }

    var end: End { End(headerEnd: headerEnd, bodyEnd: bodyEnd, count: count) }

    /// Removes the values that were added after a point in the row.
    mutating func goBack(to end: End) {
        (headerStart, headerEnd, bodyEnd, count) = (Self.room, end.headerEnd, end.bodyEnd, end.count)
    }

    /// The number of bytes of the record; final after `seal()`.
    var size: Int { headerEnd - headerStart + bodyEnd }

    @inline(__always)
    private mutating func add(type: UInt64) {
        if count < columns {
            headerEnd += header.storeVarint(type, at: headerEnd)
            slots.store(type << 32 | UInt64(truncatingIfNeeded: bodyEnd) & 0xffff_ffff, at: count * 8)
        }
        count += 1
    }

    @inline(__always)
    mutating func addNull() { add(type: SerialType.null) }

    @inline(__always)
    mutating func add(_ value: Int64) {
        let (type, length) = SerialType.integer(value)
        add(type: type)
        guard length > 0 else { return }
        body.reserve(bodyEnd + 8)
        // The extra bytes that this writes are overwritten by the next value.
        body.store(value << Int64(64 - 8 * length), at: bodyEnd)
        bodyEnd += length
    }

    @inline(__always)
    mutating func add(_ value: Double) {
        add(type: SerialType.real)
        body.reserve(bodyEnd + 8)
        body.store(value.bitPattern, at: bodyEnd)
        bodyEnd += 8
    }

    @inline(__always)
    mutating func add(_ bytes: Span<UInt8>, isText: Bool) {
        add(type: SerialType.bytes(bytes.count, isText: isText))
        body.reserve(bodyEnd + bytes.count)
        body.copy(bytes, at: bodyEnd)
        bodyEnd += bytes.count
    }

    /// Adds a value in the form in which a record of a file has it.
    @inline(__always)
    mutating func add(type: UInt64, _ bytes: Span<UInt8>) {
        add(type: type)
        body.reserve(bodyEnd + bytes.count)
        body.copy(bytes, at: bodyEnd)
        bodyEnd += bytes.count
    }

    /// Adds unchanged values that follow each other in a record that was read. Returns false without adding any if
    /// their types take more bytes there than necessary, or if the values are too many.
    @inline(__always)
    mutating func add(_ positions: Range<Int>, of values: borrowing RecordValues, _ bytes: Span<UInt8>) -> Bool {
        guard count + positions.count <= columns else { return false }
        let start = values.start(positions.lowerBound)
        var (typeBytes, end) = (0, start)
        for position in positions {
            let type = values.type(position)
            setSlot(count + position - positions.lowerBound, type, bodyEnd + end - start)
            typeBytes += Varint.length(type)
            end += SerialType.length(type)
        }
        let types = values.types(positions)
        guard types.count == typeBytes else { return false }
        append(bytes.extracting(types), bytes.extracting(start..<end), upTo: count + positions.count)
        return true
    }

    /// Adds an unchanged value of another record.
    @inline(__always)
    mutating func add(_ slot: Slot, of other: borrowing RecordEncoder) {
        add(type: slot.type)
        let length = SerialType.length(slot.type)
        body.reserve(bodyEnd + length)
        body.copy(other.body, slot.start..<slot.start + length, at: bodyEnd)
        bodyEnd += length
    }

    /// Adds a value of a record that was read.
    @inline(__always)
    mutating func add(_ slot: Slot, of other: StoredRecord) {
        add(type: slot.type)
        let length = SerialType.length(slot.type)
        body.reserve(bodyEnd + length)
        body.copy(other.bytes, slot.start..<slot.start + length, at: bodyEnd)
        bodyEnd += length
    }

    /// Notes the type and the place of a value that is added with others.
    @inline(__always)
    mutating func setSlot(_ position: Int, _ type: UInt64, _ start: Int) {
        slots.store(type << 32 | UInt64(truncatingIfNeeded: start) & 0xffff_ffff, at: position * 8)
    }

    /// Adds the values up to a position in the form in which a record of a file has them. Their slots must be set.
    mutating func append(_ types: Span<UInt8>, _ values: Span<UInt8>, upTo position: Int) {
        header.copy(types, at: headerEnd)
        headerEnd += types.count
        body.reserve(bodyEnd + values.count)
        body.copy(values, at: bodyEnd)
        bodyEnd += values.count
        count = position
    }

    /// Writes the size of the header, which includes the size itself.
    mutating func seal() {
        let types = headerEnd - Self.room
        var length = 1
        while Varint.length(UInt64(types + length)) > length { length += 1 }
        headerStart = Self.room - length
        _ = header.storeVarint(UInt64(types + length), at: headerStart)
    }

    // MARK: - Rows that are encoded before some of their numbers are known

    /// The number of bytes that `pack` writes.
    var packedSize: Int { columns * 8 + headerEnd - Self.room + bodyEnd }

    /// Copies what was added: the places of the values, their types, and the values.
    func pack(into bytes: inout ByteBuffer, at place: Int) -> (typeBytes: Int, valueBytes: Int) {
        bytes.reserve(place + packedSize)
        bytes.copy(slots, 0..<columns * 8, at: place)
        bytes.copy(header, Self.room..<headerEnd, at: place + columns * 8)
        bytes.copy(body, 0..<bodyEnd, at: place + columns * 8 + headerEnd - Self.room)
        return (headerEnd - Self.room, bodyEnd)
    }

    /// Loads a packed row.
    ///
    /// - Parameter numbers: for each open column, its integer; 0 leaves it NULL.
    mutating func load(_ packed: PackedRows, _ index: Int, _ numbers: Span<Int64>) {
        let row = packed.rows[index]
        let types = row.start + columns * 8
        let values = types + row.typeBytes
        count = columns
        slots.copy(packed.bytes, row.start..<types, at: 0)
        header.copy(packed.bytes, types..<values, at: Self.room)
        (headerStart, headerEnd) = (Self.room, Self.room + row.typeBytes)
        body.reserve(row.valueBytes + packed.open.count * 8)
        // The place of the type of a column, and how many of the values are copied.
        var (typePlace, column, copied) = (Self.room, 0, 0)
        bodyEnd = 0
        for index in packed.open.indices where numbers[index] != 0 {
            let place = packed.open[index]
            while column < place {
                typePlace += Varint.length(slot(column).type)
                column += 1
            }
            let start = Int(packed.bytes.load(UInt64.self, at: row.start + place * 8) & 0xffff_ffff)
            body.copy(packed.bytes, values + copied..<values + start, at: bodyEnd)
            bodyEnd += start - copied
            copied = start
            let (type, length) = SerialType.integer(numbers[index])
            header[typePlace] = UInt8(truncatingIfNeeded: type)
            slots.store(type << 32 | UInt64(truncatingIfNeeded: bodyEnd) & 0xffff_ffff, at: place * 8)
            if length > 0 { body.store(numbers[index] << Int64(64 - 8 * length), at: bodyEnd) }
            bodyEnd += length
            for later in place + 1..<columns {
                slots.store(slots.load(UInt64.self, at: later * 8) + UInt64(truncatingIfNeeded: length), at: later * 8)
            }
        }
        body.copy(packed.bytes, values + copied..<values + row.valueBytes, at: bodyEnd)
        bodyEnd += row.valueBytes - copied
    }

    /// Copies a part of the record.
    @inline(__always)
    func copy(_ range: Range<Int>, to bytes: inout ByteBuffer, at offset: Int) {
        let headerSize = headerEnd - headerStart
        if range.lowerBound == 0, range.upperBound >= headerSize {
            bytes.copy(header, headerStart..<headerEnd, at: offset)
            bytes.copy(body, 0..<range.upperBound - headerSize, at: offset + headerSize)
        } else {
            copyParts(range, to: &bytes, at: offset)
        }
    }

    private func copyParts(_ range: Range<Int>, to bytes: inout ByteBuffer, at offset: Int) {
        let headerSize = headerEnd - headerStart
        let headerPart = range.clamped(to: 0..<headerSize)
        bytes.copy(
            header, headerStart + headerPart.lowerBound..<headerStart + headerPart.upperBound, at: offset)
        let bodyStart = max(range.lowerBound, headerSize)
        guard bodyStart < range.upperBound else { return }
        bytes.copy(
            body, bodyStart - headerSize..<range.upperBound - headerSize, at: offset + bodyStart - range.lowerBound)
    }
}
