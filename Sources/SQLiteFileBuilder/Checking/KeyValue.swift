internal import SQLiteAccess

/// A value by which an index sorts.
struct KeyValue {
    /// The kinds in SQLite's sort order; integers and reals belong to the same class.
    enum Kind: UInt8 {
        case null, integer, real, text, blob
    }

    let kind: Kind
    /// The integer, or the bits of the real.
    let word: UInt64
    /// The offset in the record of the first byte of a text or a blob.
    let start: Int
    /// The number of bytes of the text or the blob.
    let count: Int

    /// Creates a value from a row ID.
    @inline(__always)
    init(integer: Int64) {
        kind = .integer
        word = UInt64(bitPattern: integer)
        start = 0
        count = 0
    }

    /// Creates NULL.
    init() {
        kind = .null
        word = 0
        start = 0
        count = 0
    }

    /// Returns nil if the value does not lie within the bytes, or is a NaN, which SQLite reads as NULL.
    @inline(__always)
    init?(_ place: ValuePlaces.Place, of bytes: Span<UInt8>) {
        let length = SerialType.length(place.type)
        guard place.start <= bytes.count - length else { return nil }
        start = place.start
        switch place.type {
        case SerialType.null:
            kind = .null
            word = 0
            count = 0
        case 1...9:
            word = Self.word(place.type, length, place.start, bytes)
            kind = place.type == SerialType.real ? .real : .integer
            count = 0
            guard kind == .integer || !Double(bitPattern: word).isNaN else { return nil }
        default:
            kind = SerialType.isText(place.type) ? .text : .blob
            word = 0
            count = length
        }
    }

    @inline(__always)
    private static func word(_ type: UInt64, _ length: Int, _ start: Int, _ bytes: Span<UInt8>) -> UInt64 {
        if type >= 8 { return type - 8 }
        guard start + 8 <= bytes.count else {
            return UInt64(bitPattern: SerialType.integer(of: type, bytes.extracting(start..<start + length)))
        }
        return UInt64(bitPattern: Int64(bitPattern: bytes.number64(at: start)) >> Int64(64 - 8 * length))
    }

    var real: Double { Double(bitPattern: word) }
    var integer: Int64 { Int64(bitPattern: word) }

    private var rank: UInt8 {
        switch kind {
        case .null: 0
        case .integer, .real: 1
        case .text: 2
        case .blob: 3
        }
    }

    // MARK: - Order

    /// Returns a negative number, 0 or a positive number if this value sorts before another one, equals it, or sorts
    /// after it in SQLite's order.
    @inline(__always)
    func order(
        _ bytes: Span<UInt8>, _ other: KeyValue, _ otherBytes: Span<UInt8>, _ collation: IndexShape.Collation
    ) -> Int {
        if kind == .integer, other.kind == .integer { return Self.order(integer, other.integer) }
        return slowOrder(bytes, other, otherBytes, collation)
    }

    @inline(__always)
    private static func order<Number: Comparable>(_ left: Number, _ right: Number) -> Int {
        left < right ? -1 : left == right ? 0 : 1
    }

    private func slowOrder(
        _ bytes: Span<UInt8>, _ other: KeyValue, _ otherBytes: Span<UInt8>, _ collation: IndexShape.Collation
    ) -> Int {
        switch (kind, other.kind) {
        case (.real, .real): return Self.order(real, other.real)
        // NaN never occurs here.
        case (.integer, .real): return integer.order(with: other.real) ?? 0
        case (.real, .integer): return -(other.integer.order(with: real) ?? 0)
        case (.text, .text):
            let (left, right) = (bytes.extracting(start..<start + count), otherBytes.extracting(other.range))
            switch collation {
            case .binary: return left.order(right)
            case .noCase: return Self.orderWithoutCase(left, right)
            case .rtrim:
                return left.extracting(0..<Self.countWithoutSpaces(left)).order(
                    right.extracting(0..<Self.countWithoutSpaces(right)))
            }
        case (.blob, .blob): return bytes.extracting(range).order(otherBytes.extracting(other.range))
        default: return Self.order(rank, other.rank)
        }
    }

    private var range: Range<Int> { start..<start + count }

    /// Compares ASCII letters without regard to case, up to a zero byte. If all bytes are equal, the lengths decide, as
    /// in SQLite.
    private static func orderWithoutCase(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Int {
        @inline(__always) func lower(_ byte: UInt8) -> UInt8 { (0x41...0x5a).contains(byte) ? byte | 0x20 : byte }
        for index in 0..<min(left.count, right.count) {
            let (first, second) = (lower(left[index]), lower(right[index]))
            if first != second { return order(first, second) }
            if first == 0 { break }
        }
        return order(left.count, right.count)
    }

    /// Returns the number of bytes before the trailing spaces.
    private static func countWithoutSpaces(_ text: Span<UInt8>) -> Int {
        var end = text.count
        while end > 0, text[end - 1] == 0x20 { end -= 1 }
        return end
    }
}

extension Span where Element == UInt8 {
    /// Compares the bytes like `memcmp`; if one is a prefix of the other, the shorter one comes first.
    fileprivate func order(_ other: Span<UInt8>) -> Int {
        let common = Swift.min(count, other.count)
        var index = 0
        while index + 8 <= common {
            let (left, right) = (number64(at: index), other.number64(at: index))
            if left != right { return left < right ? -1 : 1 }
            index += 8
        }
        while index < common {
            if self[index] != other[index] { return self[index] < other[index] ? -1 : 1 }
            index += 1
        }
        return count - other.count
    }
}

/// A hash of an entry's values. Equal numbers have equal hashes, whether they are integers or reals.
struct EntryHash {
    private(set) var value: UInt64

    init(seed: UInt64) {
        value = seed
    }

    /// Odd, pseudorandom numbers, one for each kind of value.
    private enum Factor {
        static let null: UInt64 = 0x9e37_79b9_7f4a_7c15
        static let integer: UInt64 = 0xbf58_476d_1ce4_e5b9
        static let real: UInt64 = 0x94d0_49bb_1331_11eb
        static let text: UInt64 = 0xd6e8_feb8_6659_fd93
        static let blob: UInt64 = 0xa076_1d64_78bd_642f
        static let bytes: UInt64 = 0xe703_7ed1_a0b4_28db
    }

    /// Combines both halves of the product, so that every bit of the word affects every bit of the hash.
    @inline(__always)
    private mutating func mix(_ word: UInt64, _ factor: UInt64) {
        let product = (value ^ word).multipliedFullWidth(by: factor)
        value = product.high ^ product.low ^ factor
    }

    /// - Parameter bytes: the record that has the value.
    @inline(__always)
    mutating func add(_ key: KeyValue, _ bytes: Span<UInt8>) {
        switch key.kind {
        case .integer: mix(key.word, Factor.integer)
        case .null: mix(0, Factor.null)
        case .real:
            if let integer = Int64(exactly: key.real) {
                mix(UInt64(bitPattern: integer), Factor.integer)
            } else {
                mix(key.word, Factor.real)
            }
        case .text, .blob:
            mix(UInt64(key.count), key.kind == .text ? Factor.text : Factor.blob)
            addBytes(bytes, from: key.start, to: key.start + key.count)
        }
    }

    private mutating func addBytes(_ bytes: Span<UInt8>, from start: Int, to end: Int) {
        var index = start
        while index + 8 <= end {
            mix(bytes.number64(at: index), Factor.bytes)
            index += 8
        }
        guard index < end else { return }
        var rest: UInt64 = 0
        while index < end {
            rest = rest << 8 | UInt64(bytes[index])
            index += 1
        }
        mix(rest, Factor.bytes)
    }
}
