/// What kind of value a column or an SQL expression has, and so how it is stored.
public enum SQLValueKind: Hashable, Sendable {
    /// `NULL` itself.
    case null
    /// A truth value, stored as 0 or 1.
    case boolean
    /// A whole number, stored as INTEGER.
    case integer
    /// Always stored as REAL.
    case real
    /// INTEGER, or REAL with the nearest value: it is compared, and never computed with.
    case decimal
    /// A text, stored as TEXT.
    case string
    /// A moment in seconds since 2001; INTEGER where they are whole.
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

    /// Whether SQLite's comparison of both is the one that is meant.
    func isComparable(to other: SQLValueKind) -> Bool {
        self == .null || other == .null || self == other || isNumber && other.isNumber || isText && other.isText
    }

    /// For messages: `a string`.
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
