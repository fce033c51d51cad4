import RecordConversion
import SQLiteAccess
import TextEncodings

/// The bytes by which keys are compared and hashed: for each value, a tag for the storage class, then the value.
///
/// Equal values have equal bytes, no matter where they come from: 1 and 1.0 are the same key, as for SQLite.
enum KeyBytes {
    static let integerTag: UInt8 = 1
    static let realTag: UInt8 = 2
    static let textTag: UInt8 = 3
    static let blobTag: UInt8 = 4
    /// The tag of an object that only its record names.
    static let objectTag: UInt8 = 5

    static func append(_ value: Int64, to bytes: inout [UInt8]) {
        append(integerTag, UInt64(bitPattern: value), to: &bytes)
    }

    static func append(_ value: Double, to bytes: inout [UInt8]) {
        // A real number that is a whole number in the range of integers is stored, or at least compared, as an integer.
        if let whole = Int64(exactly: value) { return append(whole, to: &bytes) }
        append(realTag, value.bitPattern, to: &bytes)
    }

    static func append(text: some Collection<UInt8>, tag: UInt8 = textTag, to bytes: inout [UInt8]) {
        append(tag, UInt64(text.count), to: &bytes)
        bytes.append(contentsOf: text)
    }

    /// Appends a tag and a number, with a single check of capacity.
    @_optimize(speed)
    private static func append(_ tag: UInt8, _ bits: UInt64, to bytes: inout [UInt8]) {
        bytes.append(addingCapacity: 1 + bits.bitWidth / 8) { output in
            output.append(tag)
            for shift in stride(from: 0, to: bits.bitWidth, by: 8) {
                output.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift)))
            }
        }
    }

    /// Appends a value whose bytes are in an arena; returns false for NULL, which is not equal to anything.
    @_optimize(speed)
    static func append(_ value: ConvertedValue, in arena: [UInt8], to bytes: inout [UInt8]) -> Bool {
        switch value {
        case .null: return false
        case .integer(let number): append(number, to: &bytes)
        case .real(let number): append(number, to: &bytes)
        case .text(let range): append(text: arena[range.range], to: &bytes)
        case .blob(let range): append(text: arena[range.range], tag: blobTag, to: &bytes)
        }
        return true
    }

    /// Returns the bytes by which keys are sorted first, so that keys that are close to each other in an index are
    /// looked up together: a number itself, or the first characters of a text.
    static func prefix(of key: ArraySlice<UInt8>) -> UInt64 {
        guard let tag = key.first else { return 0 }
        switch tag {
        case integerTag: return UInt64(bitPattern: Int64.min) ^ bits(key, at: 1)
        case realTag:
            let bits = bits(key, at: 1)
            return bits >> 63 == 0 ? bits | 1 << 63 : ~bits
        default:
            var prefix: UInt64 = 0
            for offset in 0..<8 {
                let index = key.startIndex + 9 + offset
                prefix = prefix << 8 | (index < key.endIndex ? UInt64(key[index]) : 0)
            }
            return prefix
        }
    }

    private static func bits(_ key: ArraySlice<UInt8>, at offset: Int) -> UInt64 {
        var bits: UInt64 = 0
        for index in (0..<8).reversed() { bits = bits << 8 | UInt64(key[key.startIndex + offset + index]) }
        return bits
    }

    /// Appends the value of a column; returns false for NULL, which is not equal to anything.
    static func append(_ column: Int32, of row: some FoundRow, to bytes: inout [UInt8]) -> Bool {
        switch row.storageClass(column) {
        case .null: return false
        case .integer: append(row.integer(column), to: &bytes)
        case .real: append(row.real(column), to: &bytes)
        case .text: row.withSpan(column) { append($0, textTag, to: &bytes) }
        case .blob: row.withSpan(column) { append($0, blobTag, to: &bytes) }
        }
        return true
    }

    private static func append(_ text: Span<UInt8>, _ tag: UInt8, to bytes: inout [UInt8]) {
        append(tag, UInt64(text.count), to: &bytes)
        bytes.append(copying: text)
    }

    /// Appends a value; returns false for NULL, which is not equal to anything.
    static func append(_ value: SQLiteValue, to bytes: inout [UInt8]) -> Bool {
        switch value {
        case .null: return false
        case .integer(let number): append(number, to: &bytes)
        case .real(let number): append(number, to: &bytes)
        case .text(let text): append(text: text, to: &bytes)
        case .blob(let blob): append(text: blob, tag: blobTag, to: &bytes)
        }
        return true
    }

    /// Appends a default of the model.
    static func append(_ value: ConvertedDefault, to bytes: inout [UInt8]) {
        switch value {
        case .integer(let number): append(number, to: &bytes)
        case .real(let number): append(number, to: &bytes)
        case .text(let text): append(text: text, to: &bytes)
        case .blob(let blob): append(text: blob, tag: blobTag, to: &bytes)
        }
    }

    /// Returns the FNV-1a hash of bytes, with a final mix. It is stored for resuming imports, and must not change.
    static func hash(_ bytes: some Collection<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        hash ^= hash >> 32
        hash = hash &* 0x9e37_79b9_7f4a_7c15
        return hash ^ (hash >> 29)
    }
}
