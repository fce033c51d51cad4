/// Converts the key columns of an index entry to bytes that compare in the same way as SQLite compares the values.
///
/// NULL comes before numbers, numbers by value before texts, and texts before blobs, both by their bytes ("Datatypes In
/// SQLite", section 4.1, with the collation BINARY). The bytes of descending columns are inverted.
struct KeyNormalizer: Sendable {
    let descending: [Bool]

    /// The first bytes of the values. Texts and blobs end with two zeros, and a zero within them is followed by 0xff.
    private enum Tag {
        static let null: UInt8 = 1
        static let number: UInt8 = 2
        static let text: UInt8 = 3
        static let blob: UInt8 = 4
    }

    /// Writes the key of a record; returns its number of bytes, and whether one of its values is NULL.
    func write(
        _ record: borrowing ByteBuffer, _ range: Range<Int>, to key: inout ByteBuffer
    ) -> (count: Int, hasNull: Bool) {
        // Zeros can double the number of bytes. Each column adds at most a tag, a number and its remainder, or two
        // bytes at its end.
        key.reserve(2 * range.count + 12 * descending.count)
        var (headerSize, offset) = record.loadVarint(at: range.lowerBound)
        offset += range.lowerBound
        var start = range.lowerBound + Int(headerSize)
        headerSize = 0
        var end = 0
        var hasNull = false
        for isDescending in descending {
            let type: UInt64
            let first = record[offset]
            if first < 0x80 {
                type = UInt64(first)
                offset += 1
            } else {
                let (long, length) = record.loadVarint(at: offset)
                type = long
                offset += length
            }
            let before = end
            switch type {
            case 0:
                hasNull = true
                key[end] = Tag.null
                end += 1
            case 7: end += Self.write(Double(bitPattern: record.load(at: start)), to: &key, at: end)
            case 1...9:
                end += Self.write(SerialType.loadInteger(record, type, at: start), to: &key, at: end)
            default:
                key[end] = SerialType.isText(type) ? Tag.text : Tag.blob
                end += 1 + Self.write(record, start..<start + SerialType.length(type), to: &key, at: end + 1)
            }
            start += SerialType.length(type)
            if isDescending {
                for index in before..<end { key[index] = ~key[index] }
            }
        }
        return (end, hasNull)
    }

    /// From this magnitude on, doubles do not represent every integer, so the remainder is written after them.
    private static let exactLimit = 9_007_199_254_740_992.0

    private static func write(_ number: Double, to key: inout ByteBuffer, at offset: Int, rest: Int64 = 0) -> Int {
        key[offset] = Tag.number
        // Zero has the same key whatever its sign.
        let bits = number == 0 ? 0 : number.bitPattern
        key.store(bits >> 63 == 1 ? ~bits : bits | 1 << 63, at: offset + 1)
        guard number.magnitude >= exactLimit else { return 9 }
        key.store(UInt16(truncatingIfNeeded: rest + 0x8000), at: offset + 9)
        return 11
    }

    private static func write(_ number: Int64, to key: inout ByteBuffer, at offset: Int) -> Int {
        let nearest = Double(number)
        // The difference is less than 1024. For 2^63 it wraps to the correct value.
        let whole = Int64(exactly: nearest) ?? .min
        return write(nearest, to: &key, at: offset, rest: number &- whole)
    }

    private static func write(
        _ bytes: borrowing ByteBuffer, _ range: Range<Int>, to key: inout ByteBuffer, at offset: Int
    ) -> Int {
        var end = offset
        for index in range {
            let byte = bytes[index]
            key[end] = byte
            end += 1
            if byte == 0 {
                key[end] = 0xff
                end += 1
            }
        }
        key[end] = 0
        key[end + 1] = 0
        return end + 2 - offset
    }
}

extension SerialType {
    /// Loads an integer of one of the types 1 to 6, 8 and 9.
    static func loadInteger(_ bytes: borrowing ByteBuffer, _ type: UInt64, at offset: Int) -> Int64 {
        switch type {
        case 1: return Int64(Int8(bitPattern: bytes[offset]))
        case 2: return Int64(bytes.load(Int16.self, at: offset))
        case 3:
            return Int64(Int8(bitPattern: bytes[offset])) << 16 | Int64(bytes.load(UInt16.self, at: offset + 1))
        case 4: return Int64(bytes.load(Int32.self, at: offset))
        case 5: return Int64(bytes.load(Int16.self, at: offset)) << 32 | Int64(bytes.load(UInt32.self, at: offset + 2))
        case 6: return bytes.load(at: offset)
        case 9: return 1
        default: return 0
        }
    }
}
