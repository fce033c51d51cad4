/// One value of a record: what it is, and where its bytes lie in the arena of its batch.
///
/// Eight bytes without references: a batch holds thousands of them in one array.
public struct RecordField: Equatable, Sendable {
    /// What a value is.
    public enum Kind: UInt8, Equatable, Sendable {
        /// Text as it stands: an unquoted field, the text of an XML element or attribute, text of SQLite.
        case text
        /// Text that was quoted, so that it is never a NULL token: a quoted field, a JSON string.
        case quoted
        /// JSON null, SQL NULL.
        case null
        /// The record has no such value: a short record's missing fields, an absent key or element.
        case missing
        /// Eight bytes of a signed integer, little end first.
        case integer
        /// Eight bytes of a double's bit pattern, little end first.
        case real
        /// Eight bytes of a double's bit pattern, little end first: seconds since 2001, which an expression computed.
        case date
        /// A JSON number, as the exact text of the source.
        case number
        /// The text `true` or `false` of JSON.
        case boolean
        /// Bytes that are not text.
        case blob
        /// An object, array or element with children: `start` is its node in the batch.
        case node
        /// No value: an expression could not compute one. `start` is its place among the failures of the batch, and
        /// there are no bytes.
        case failure
    }

    @usableFromInline var startBits: UInt32
    /// The kind in the four highest bits, the length below.
    @usableFromInline var kindAndLength: UInt32

    /// The text that stands for NULL unless others are named, as in MySQL's and PostgreSQL's files.
    public static let commonNullToken = "\\N"

    /// The length of a value has 28 bits: 256 MiB, far above any limit of a record.
    @usableFromInline package static let lengthMask: UInt32 = (1 << 28) - 1

    /// Makes a field of the place of its bytes in the arena.
    @inlinable
    public init(_ kind: Kind, start: Int, length: Int) {
        startBits = UInt32(truncatingIfNeeded: start)
        kindAndLength = UInt32(kind.rawValue) << 28 | UInt32(truncatingIfNeeded: length) & RecordField.lengthMask
    }

    /// Where the value's bytes begin in the arena; the index of its node for a `.node`, of its failure for a
    /// `.failure`.
    @inlinable public var start: Int { Int(startBits) }

    /// How many bytes the value has.
    @inlinable public var length: Int { Int(kindAndLength & RecordField.lengthMask) }

    /// The places of the value's bytes in the arena.
    @inlinable public var range: Range<Int> { Range(uncheckedBounds: (start, start + length)) }

    /// What the value is.
    @inlinable
    public var kind: Kind { Kind(rawValue: UInt8(truncatingIfNeeded: kindAndLength >> 28)) ?? .missing }

    /// Whether there is no value: NULL or missing.
    @inlinable
    public var isAbsent: Bool {
        let bits = UInt8(truncatingIfNeeded: kindAndLength >> 28)
        return bits == Kind.null.rawValue || bits == Kind.missing.rawValue
    }

    /// Moves a value whose place was not yet known to where the unescaped values of its record begin.
    mutating func settle(at unescapedStart: Int) {
        guard start >= JSONParser.Placement.unescapedBase else { return }
        startBits = UInt32(truncatingIfNeeded: start - JSONParser.Placement.unescapedBase + unescapedStart)
    }

    /// NULL.
    public static let null = RecordField(.null, start: 0, length: 0)
    /// No value at all.
    public static let missing = RecordField(.missing, start: 0, length: 0)
}
