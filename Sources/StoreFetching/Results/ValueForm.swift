public import ManagedObjectModels
public import PredicateExpressions

/// What kind of value a column of a result has, which says how it is written.
public enum ValueForm: Sendable, Hashable {
    /// A whole number.
    case integer
    /// A truth value, stored as 0 or 1.
    case boolean
    /// A real number of 64 bits.
    case real
    /// A real of single precision.
    case single
    /// INTEGER, REAL with the nearest value, or exact text.
    case decimal
    /// A text.
    case text
    /// A moment, in seconds since 2001.
    case date
    /// Bytes.
    case data
    /// Bytes with a tag before them, or in a file of their own.
    case externalData
    /// A UUID of 16 bytes.
    case uuid
    /// A value as JSON; bytes are the reason why it has no form there.
    case json
    /// The URI of an object.
    case object
    /// Any value, which is written as its storage class says.
    case any

    /// The form of the values of an expression in SQL.
    public init(_ kind: SQLValueKind) {
        switch kind {
        case .null: self = .any
        case .boolean: self = .boolean
        case .integer, .object: self = .integer
        case .real: self = .real
        case .decimal: self = .decimal
        case .string, .url: self = .text
        case .date: self = .date
        case .data: self = .data
        case .uuid: self = .uuid
        }
    }

    /// The form of an attribute's values.
    public init(_ attribute: AttributeDescription) {
        if attribute.hasExternalData {
            self = .externalData
        } else {
            self.init(attribute.type)
        }
    }

    /// The form of values of a type, which do not lie in files.
    public init(_ type: AttributeType) {
        switch type {
        case .integer16, .integer32, .integer64: self = .integer
        case .boolean: self = .boolean
        case .double: self = .real
        case .float: self = .single
        case .decimal: self = .decimal
        case .string, .uri: self = .text
        case .date: self = .date
        case .uuid: self = .uuid
        case .binaryData, .transformable: self = .data
        case .undefined, .objectID, .composite: self = .any
        }
    }

    /// Whether people expect it at the right edge of a column.
    public var isNumber: Bool {
        switch self {
        case .integer, .real, .single, .decimal: true
        default: false
        }
    }
}
