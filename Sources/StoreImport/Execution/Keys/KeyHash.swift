import RecordConversion
import SQLiteAccess

/// A hash of a key, computed from its components or from their encoding by `KeyBytes`; both result in the same number.
///
/// It processes eight bytes at a time. It is only used for tables of the import itself.
struct KeyHash {
    private var state: UInt64 = 0xcbf2_9ce4_8422_2325

    /// The hash of all values that were added.
    var value: UInt64 {
        var value = state &* 0x9e37_79b9_7f4a_7c15
        value ^= value >> 29
        value = value &* 0xbf58_476d_1ce4_e5b9
        return value ^ value >> 32
    }

    @inline(__always)
    private mutating func add(_ word: UInt64) {
        state = (state ^ word) &* 0xff51_afd7_ed55_8ccd
        state ^= state >> 32
    }

    /// Adds a value; returns false for NULL, which is not equal to anything.
    @inline(__always)
    mutating func add(_ value: ConvertedValue, in arena: Span<UInt8>) -> Bool {
        switch value {
        case .null: return false
        case .integer(let number):
            add(UInt64(KeyBytes.integerTag))
            add(UInt64(bitPattern: number))
        case .real(let number):
            // As in the encoded bytes, a real that is a whole number is hashed as an integer.
            if let whole = Int64(exactly: number) { return add(.integer(whole), in: arena) }
            add(UInt64(KeyBytes.realTag))
            add(number.bitPattern)
        case .text(let range): add(KeyBytes.textTag, arena.extracting(range.range))
        case .blob(let range): add(KeyBytes.blobTag, arena.extracting(range.range))
        }
        return true
    }

    @inline(__always)
    private mutating func add(_ tag: UInt8, _ bytes: Span<UInt8>) {
        add(UInt64(tag))
        add(UInt64(bytes.count))
        var index = 0
        while index < bytes.count {
            add(Self.word(bytes, at: index))
            index += 8
        }
    }

    /// Returns eight bytes as a little-endian number; bytes after the end are zero.
    @inline(__always)
    static func word(_ bytes: Span<UInt8>, at start: Int) -> UInt64 {
        let count = bytes.count - start
        if count >= 8 { return load(UInt64.self, bytes, start) }
        // The two loads may overlap, and then agree in the common bits.
        if count >= 4 {
            return load(UInt32.self, bytes, start) | load(UInt32.self, bytes, start + count - 4) << (8 * (count - 4))
        }
        if count >= 2 {
            return load(UInt16.self, bytes, start) | load(UInt16.self, bytes, start + count - 2) << (8 * (count - 2))
        }
        return count == 1 ? UInt64(bytes[start]) : 0
    }

    /// Returns a little-endian number.
    @inline(__always)
    private static func load<Number: FixedWidthInteger & BitwiseCopyable>(
        _ type: Number.Type, _ bytes: Span<UInt8>, _ offset: Int
    ) -> UInt64 {
        UInt64(Number(littleEndian: bytes.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Number.self)))
    }

    /// Returns whether both have the same bytes.
    @inline(__always)
    static func isEqual(_ one: Span<UInt8>, _ other: Span<UInt8>) -> Bool {
        guard one.count == other.count else { return false }
        var index = 0
        while index < one.count {
            if word(one, at: index) != word(other, at: index) { return false }
            index += 8
        }
        return true
    }

    /// Returns the hash of a key's bytes.
    static func value(of key: Span<UInt8>) -> UInt64 {
        var hash = KeyHash()
        var index = 0
        while index < key.count {
            let (tag, bits) = (key[index], word(key, at: index + 1))
            index += 9
            if tag == KeyBytes.textTag || tag == KeyBytes.blobTag {
                let end = min(key.count, index + Int(truncatingIfNeeded: bits))
                hash.add(tag, key.extracting(index..<end))
                index = end
            } else {
                hash.add(UInt64(tag))
                hash.add(bits)
            }
        }
        return hash.value
    }
}
