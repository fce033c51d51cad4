/// A value of a record: its kind, and the place of its bytes in the arena of its batch.
///
/// It has eight bytes and no references, because a batch has thousands of fields in one array.
public struct RecordField: Equatable, Sendable {
    /// The kind of a value.
    public enum Kind: UInt8, Equatable, Sendable {
        /// Text that was not quoted: an unquoted field, the text of an XML element or attribute, or a text in SQLite.
        case text
        /// Text that was quoted, and so is never a token for NULL: a quoted field or a JSON string.
        case quoted
        /// JSON null or SQL NULL.
        case null
        /// The record has no such value: a field that a short record lacks, or an absent key or element.
        case missing
        /// A signed integer of eight bytes, little-endian.
        case integer
        /// The bit pattern of a double in eight bytes, little-endian.
        case real
        /// The result of an expression: seconds since 2001, as the bit pattern of a double in eight bytes,
        /// little-endian.
        case date
        /// A JSON number, as its exact text in the source.
        case number
        /// The text `true` or `false` of JSON.
        case boolean
        /// Bytes that are not text.
        case blob
        /// An object, array or element with children: `start` is its node in the batch.
        case node
        /// No value, because an expression could not compute one. `start` is the index of the failure in the batch, and
        /// there are no bytes.
        case failure
    }

    @usableFromInline var startBits: UInt32
    /// The kind in the four highest bits, and the length in the others.
    @usableFromInline var kindAndLength: UInt32

    /// The text that stands for NULL by default, as in files of MySQL and PostgreSQL.
    public static let commonNullToken = "\\N"

    /// The length of a value has 28 bits: 256 MiB, far above any limit for records.
    @usableFromInline package static let lengthMask: UInt32 = (1 << 28) - 1

    /// Creates a field from the place of its bytes in the arena.
    @inlinable
    public init(_ kind: Kind, start: Int, length: Int) {
        startBits = UInt32(truncatingIfNeeded: start)
        kindAndLength = UInt32(kind.rawValue) << 28 | UInt32(truncatingIfNeeded: length) & RecordField.lengthMask
    }

    /// The offset of the value's bytes in the arena; for a `.node` the index of the node, for a `.failure` the index of
    /// the failure.
    @inlinable public var start: Int { Int(startBits) }

    /// The number of bytes of the value.
    @inlinable public var length: Int { Int(kindAndLength & RecordField.lengthMask) }

    /// The range of the value's bytes in the arena.
    @inlinable public var range: Range<Int> { Range(uncheckedBounds: (start, start + length)) }

    /// The kind of the value.
    @inlinable
    public var kind: Kind { Kind(rawValue: UInt8(truncatingIfNeeded: kindAndLength >> 28)) ?? .missing }

    /// Whether there is no value: NULL or missing.
    @inlinable
    public var isAbsent: Bool {
        let bits = UInt8(truncatingIfNeeded: kindAndLength >> 28)
        return bits == Kind.null.rawValue || bits == Kind.missing.rawValue
    }

    /// Moves an unescaped value to its final place, given the offset at which the unescaped values of its record begin.
    mutating func settle(at unescapedStart: Int) {
        guard start >= JSONParser.Placement.unescapedBase else { return }
        startBits = UInt32(truncatingIfNeeded: start - JSONParser.Placement.unescapedBase + unescapedStart)
    }

    /// NULL.
    public static let null = RecordField(.null, start: 0, length: 0)
    /// A missing value.
    public static let missing = RecordField(.missing, start: 0, length: 0)
}
