import RecordSources
import SQLiteAccess

/// What has to be known of a record when all are read: it comes with what is spooled, and back where something is wrong
/// with it.
enum SpooledNote {
    /// A reference: which of the record's objects has it, the position of the relationship, to-ones first, the place in a
    /// list, and the key that it names.
    case reference(record: Int64, line: Int, object: Int, position: Int, ordinal: Int, key: [UInt8])
    /// A row without a value that a new object needs: which of the record's objects, and the positions of the
    /// attributes.
    case incomplete(record: Int64, object: Int, positions: [Int])
    /// A row with a value that may be another object's: the record, and which of its objects.
    case notUnique(PendingRecords.Entry, object: Int)
    /// A row of a mapping that is only for objects that are there, or for others: the record, and which of its objects.
    case mismatch(PendingRecords.Entry, object: Int)
    /// A row with a list that would end another one, whose objects cannot be without an owner: the record, and which of its
    /// objects; the position of the list among the object's.
    case unowned(PendingRecords.Entry, object: Int, list: Int)

    private static let entrySize = 49

    private static func rest(of bytes: Span<UInt8>, from start: Int) -> [UInt8] {
        var rest: [UInt8] = []
        rest.reserveCapacity(bytes.count - start)
        for index in start..<bytes.count { rest.append(bytes[index]) }
        return rest
    }

    func encode(into bytes: inout [UInt8]) {
        bytes.removeAll(keepingCapacity: true)
        func append(_ number: Int64) {
            for shift in stride(from: Int64(0), to: 64, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: number >> shift))
            }
        }
        /// Seven bits in each byte, the lowest first: most numbers are small, and there is a note for each reference.
        func appendShort(_ number: Int64) {
            var rest = UInt64(bitPattern: number)
            while rest > 0x7f {
                bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
                rest >>= 7
            }
            bytes.append(UInt8(rest))
        }
        switch self {
        case .reference(let record, let line, let object, let position, let ordinal, let key):
            bytes.append(0)
            appendShort(record)
            appendShort(Int64(line))
            appendShort(Int64(object))
            appendShort(Int64(position))
            appendShort(Int64(ordinal))
            bytes += key
        case .incomplete(let record, let object, let positions):
            bytes.append(1)
            append(record)
            append(0)
            append(Int64(object))
            for position in positions { append(Int64(position)) }
        case .notUnique(let entry, let object), .mismatch(let entry, let object), .unowned(let entry, let object, _):
            var list = 0
            switch self {
            case .unowned(_, _, let position): (bytes, list) = ([4], position)
            case .mismatch: bytes.append(3)
            default: bytes.append(2)
            }
            append(entry.record)
            append(Int64(entry.line))
            append(Int64(object | list << 32))
            append(Int64(entry.file))
            append(Int64(entry.number))
            append(Int64(entry.byteOffset))
            bytes += entry.captured.encoded
        }
    }

    init(_ bytes: Span<UInt8>) {
        func number(_ place: Int) -> Int64 {
            var number: Int64 = 0
            for index in (place..<place + 8).reversed() { number = number << 8 | Int64(bytes[index]) }
            return number
        }
        if bytes[0] == 1 {
            let positions = stride(from: 25, to: bytes.count, by: 8).map { Int(number($0)) }
            self = .incomplete(record: number(1), object: Int(number(17)), positions: positions)
            return
        }
        if bytes[0] >= 2 {
            let entry = PendingRecords.Entry(
                record: number(1), file: Int(number(25)), number: Int(number(33)), line: Int(number(9)),
                byteOffset: Int(number(41)),
                captured: CapturedRecord(decoding: Self.rest(of: bytes, from: Self.entrySize)))
            let object = Int(number(17) & 0xffff_ffff)
            switch bytes[0] {
            case 2: self = .notUnique(entry, object: object)
            case 3: self = .mismatch(entry, object: object)
            default: self = .unowned(entry, object: object, list: Int(number(17) >> 32))
            }
            return
        }
        var place = 1
        func short() -> Int64 {
            var (number, shift): (UInt64, UInt64) = (0, 0)
            while bytes[place] > 0x7f {
                number |= UInt64(bytes[place] & 0x7f) << shift
                (place, shift) = (place + 1, shift + 7)
            }
            number |= UInt64(bytes[place]) << shift
            place += 1
            return Int64(bitPattern: number)
        }
        let (record, line, object, position, ordinal) = (short(), short(), short(), short(), short())
        self = .reference(
            record: record, line: Int(line), object: Int(object), position: Int(position), ordinal: Int(ordinal),
            key: Self.rest(of: bytes, from: place))
    }
}

extension KeyBytes {
    /// The values of a key.
    static func values(of key: [UInt8]) -> [SQLiteValue] {
        var values: [SQLiteValue] = []
        var place = 0
        while place + 9 <= key.count {
            let tag = key[place]
            var bits: UInt64 = 0
            for index in (place + 1...place + 8).reversed() { bits = bits << 8 | UInt64(key[index]) }
            place += 9
            switch tag {
            case integerTag: values.append(.integer(Int64(bitPattern: bits)))
            case realTag: values.append(.real(Double(bitPattern: bits)))
            default:
                let end = min(key.count, place + Int(clamping: bits))
                let bytes = Array(key[place..<end])
                values.append(tag == textTag ? .text(bytes) : .blob(bytes))
                place = end
            }
        }
        return values
    }
}
