/// Changes to some columns of a row.
struct RowEdits: ~Copyable {
    enum Edit: Int64 {
        case none, null
        /// Replaces the value with an integer or NULL.
        case integer
        /// Adds a number to an integer; other values stay the same.
        case increment
    }

    /// The columns that may change, in ascending order, with their edits: a column, an edit and a number, eight bytes
    /// each. Arrays would have to be retained and released for each row.
    private var edits: ByteBuffer
    let count: Int

    private static let stride = 24

    init(_ columns: [Int]) {
        count = columns.count
        edits = ByteBuffer(capacity: columns.count * Self.stride)
        for (place, column) in columns.enumerated() { edits.store(column, at: place * Self.stride) }
    }

    @inline(__always)
    func column(_ place: Int) -> Int { edits.load(at: place * Self.stride) }

    @inline(__always)
    func edit(_ place: Int) -> Edit {
        Edit(rawValue: edits.load(at: place * Self.stride + 8)) ?? .none
    }

    @inline(__always)
    func number(_ place: Int) -> Int64 { edits.load(at: place * Self.stride + 16) }

    @inline(__always)
    mutating func set(_ place: Int, _ edit: Edit, _ number: Int64 = 0) {
        precondition(place >= 0 && place < count, "no column that may change")
        edits.store(edit.rawValue, at: place * Self.stride + 8)
        edits.store(number, at: place * Self.stride + 16)
    }
}

extension RecordEncoder {
    /// Loads a record of the same columns, or of fewer, with changes.
    ///
    /// - Returns: false if the header does not fit the record.
    mutating func load(_ other: StoredRecord, _ changes: borrowing RowEdits) -> Bool {
        removeAll()
        guard other.size > 0 else { return false }
        // A damaged number may be longer than the record, but not than the memory.
        return other.bytes.withBytes(0..<other.bytes.capacity) { load($0, size: other.size, changes) }
    }

    private mutating func load(_ record: Span<UInt8>, size: Int, _ changes: borrowing RowEdits) -> Bool {
        let (headerSize, first) = Varint.load(record, at: 0)
        guard headerSize <= UInt64(size) else { return false }
        let end = Int(headerSize)
        // The places of the next type and the next value, of the first ones that are not copied yet, the number of
        // values, the distance between the places of a value in the two records, and the next change.
        var (offset, start, copiedTypes, copied, found, shift, place) = (first, end, first, end, 0, -end, 0)
        var changing = changes.count > 0 ? changes.column(0) : -1
        while offset < end {
            var (type, length) = (UInt64(record[offset]), 1)
            if type >= 0x80 { (type, length) = Varint.load(record, at: offset) }
            guard type <= UInt64(UInt32.max), found < columns else { return false }
            let next = start + SerialType.length(type)
            guard next <= size else { return false }
            setSlot(found, type, start + shift)
            if found == changing {
                var (edit, number) = (changes.edit(place), changes.number(place))
                place += 1
                changing = place < changes.count ? changes.column(place) : -1
                if edit == .increment {
                    edit = SerialType.isInteger(type) ? .integer : .none
                    number &+= SerialType.integer(of: type, record.extracting(start..<next))
                }
                if edit != .none {
                    let (types, values) = (record.extracting(copiedTypes..<offset), record.extracting(copied..<start))
                    append(types, values, upTo: found)
                    (copiedTypes, copied) = (offset + length, next)
                    if edit == .integer { add(number) } else { addNull() }
                    shift = bodyEnd - next
                }
            }
            found += 1
            (offset, start) = (offset + length, next)
        }
        guard offset == end, start == size else { return false }
        append(record.extracting(copiedTypes..<end), record.extracting(copied..<start), upTo: found)
        while count < columns {
            let isInteger = count == changing && changes.edit(place) == .integer
            let number = isInteger ? changes.number(place) : 0
            if count == changing {
                place += 1
                changing = place < changes.count ? changes.column(place) : -1
            }
            if isInteger { add(number) } else { addNull() }
        }
        return true
    }
}
