/// The type of a column or an SQL expression, which determines how its values are stored.
public enum SQLValueKind: Hashable, Sendable {
    /// `NULL` itself.
    case null
    /// A Boolean, stored as 0 or 1.
    case boolean
    /// An integer, stored as INTEGER.
    case integer
    /// A real, always stored as REAL.
    case real
    /// A decimal: INTEGER, or REAL with the nearest value; it is only compared, and not computed with.
    case decimal
    /// A text, stored as TEXT.
    case string
    /// A date in seconds since 2001; INTEGER for whole seconds.
    case date
    /// Bytes, stored as BLOB.
    case data
    /// A BLOB of 16 bytes.
    case uuid
    /// A URL, stored as TEXT.
    case url
    /// The primary key of an object of an entity, by the schema's number.
    case object(entity: Int)

    var isNumber: Bool {
        switch self {
        case .boolean, .integer, .real, .decimal: true
        default: false
        }
    }

    var isText: Bool { self == .string || self == .url }

    /// Returns whether SQLite's comparison of both has the right result.
    func isComparable(to other: SQLValueKind) -> Bool {
        self == .null || other == .null || self == other || isNumber && other.isNumber || isText && other.isText
    }

    /// The name for messages: `a string`.
    public var name: String {
        switch self {
        case .null: "NULL"
        case .boolean: "a boolean"
        case .integer: "an integer"
        case .real: "a real number"
        case .decimal: "a decimal number"
        case .string: "a string"
        case .date: "a date"
        case .data: "binary data"
        case .uuid: "a UUID"
        case .url: "a URI"
        case .object: "an object"
        }
    }
}
