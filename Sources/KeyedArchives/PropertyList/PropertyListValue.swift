/// A property list value, in any of the three formats; every value of a format is represented without loss.
public enum PropertyListValue: Sendable {
    /// The null of the binary format, which the text formats lack.
    case null
    /// A Boolean.
    case boolean(Bool)
    /// An integer in the range of `Int64`.
    case integer(Int64)
    /// An integer outside the range of `Int64`; smaller ones are always `integer`.
    indirect case wideInteger(Int128)
    /// A real number that was stored in 64 bits, or as text.
    case real(Double)
    /// A real number that was stored in 32 bits.
    case single(Float)
    /// A point in time, in seconds since 2001-01-01T00:00:00Z.
    case date(Double)
    /// Bytes.
    case data([UInt8])
    /// A well-formed text.
    case string(String)
    /// UTF-16 units that are not well-formed text, kept so that they can be written back unchanged.
    case malformedText([UInt16])
    /// The elements of an array, in their order.
    case array([PropertyListValue])
    /// A set, which the binary format distinguishes; the order of its elements is kept.
    case set([PropertyListValue])
    /// Pairs of keys and values.
    case dictionary(PropertyListDictionary)
    /// A reference into the object table of a keyed archive.
    case uid(UInt64)

    /// Makes an integer of any width up to 128 bits.
    public init(_ integer: some BinaryInteger) {
        if let small = Int64(exactly: integer) {
            self = .integer(small)
        } else {
            self = .wideInteger(Int128(truncatingIfNeeded: integer))
        }
    }
}

extension PropertyListValue: Hashable {
    /// Values are equal if they were stored in the same way: 1, 1.0 and true differ, and NaN equals itself.
    public static func == (left: PropertyListValue, right: PropertyListValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.boolean(let one), .boolean(let other)): one == other
        case (.integer(let one), .integer(let other)): one == other
        case (.wideInteger(let one), .wideInteger(let other)): one == other
        case (.real(let one), .real(let other)): one.bitPattern == other.bitPattern
        case (.single(let one), .single(let other)): one.bitPattern == other.bitPattern
        case (.date(let one), .date(let other)): one.bitPattern == other.bitPattern
        case (.data(let one), .data(let other)): one == other
        case (.string(let one), .string(let other)): one.utf8.elementsEqual(other.utf8)
        case (.malformedText(let one), .malformedText(let other)): one == other
        case (.array(let one), .array(let other)): one == other
        case (.set(let one), .set(let other)): one == other
        case (.dictionary(let one), .dictionary(let other)): one == other
        case (.uid(let one), .uid(let other)): one == other
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .boolean(let value): hasher.combine(value)
        case .integer(let value): hasher.combine(value)
        case .wideInteger(let value): hasher.combine(value)
        case .real(let value): hasher.combine(value.bitPattern)
        case .single(let value): hasher.combine(value.bitPattern)
        case .date(let value): hasher.combine(value.bitPattern)
        case .data(let value): hasher.combine(value)
        case .string(let value): hasher.combine(value)
        case .malformedText(let value): hasher.combine(value)
        case .array(let value), .set(let value): hasher.combine(value)
        case .dictionary(let value): hasher.combine(value)
        case .uid(let value): hasher.combine(value)
        }
    }
}

extension PropertyListValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Makes a text.
    public init(stringLiteral value: String) {
        self = .string(value)
    }

    /// Makes an integer.
    public init(integerLiteral value: Int64) {
        self = .integer(value)
    }

    /// Makes a Boolean.
    public init(booleanLiteral value: Bool) {
        self = .boolean(value)
    }

    /// Makes an array.
    public init(arrayLiteral elements: PropertyListValue...) {
        self = .array(elements)
    }

    /// Makes a dictionary; a later pair replaces an earlier one with the same key.
    public init(dictionaryLiteral elements: (String, PropertyListValue)...) {
        var dictionary = PropertyListDictionary()
        for (key, value) in elements {
            dictionary[key] = value
        }
        self = .dictionary(dictionary)
    }
}
