extension PropertyListValue {
    /// The Boolean; nil if this is not a Boolean.
    public var boolean: Bool? {
        if case .boolean(let value) = self { value } else { nil }
    }

    /// The integer; nil if this is not an integer in the range of 64 bits. Booleans and reals do not count.
    public var integer: Int64? {
        if case .integer(let value) = self { value } else { nil }
    }

    /// The number; nil if this is neither a real of any width nor an integer.
    public var real: Double? {
        switch self {
        case .real(let value): value
        case .single(let value): Double(value)
        case .integer(let value): Double(value)
        case .wideInteger(let value): Double(value)
        default: nil
        }
    }

    /// The seconds since 2001-01-01T00:00:00Z; nil if this is not a date.
    public var date: Double? {
        if case .date(let value) = self { value } else { nil }
    }

    /// The text; nil if this is not well-formed text.
    public var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The bytes; nil if this is not data.
    public var data: [UInt8]? {
        if case .data(let value) = self { value } else { nil }
    }

    /// The elements; nil if this is neither an array nor a set.
    public var array: [PropertyListValue]? {
        switch self {
        case .array(let value), .set(let value): value
        default: nil
        }
    }

    /// The pairs; nil if this is not a dictionary.
    public var dictionary: PropertyListDictionary? {
        if case .dictionary(let value) = self { value } else { nil }
    }

    /// The index into the object table of a keyed archive; nil if this is not a reference.
    public var uid: UInt64? {
        if case .uid(let value) = self { value } else { nil }
    }

    /// The value of a key; nil if this is not a dictionary with the key.
    public subscript(key: String) -> PropertyListValue? {
        dictionary?[key]
    }

    /// The kind of the value, for messages.
    public var kind: String {
        switch self {
        case .null: "null"
        case .boolean: "a boolean"
        case .integer, .wideInteger: "an integer"
        case .real, .single: "a real number"
        case .date: "a date"
        case .data: "data"
        case .string: "text"
        case .malformedText: "malformed text"
        case .array: "an array"
        case .set: "a set"
        case .dictionary: "a dictionary"
        case .uid: "an archive reference"
        }
    }
}
