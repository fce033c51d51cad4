public import ManagedObjectModels
public import PredicateExpressions

/// The kind of a column's values, which determines how they are written.
public enum ValueForm: Sendable, Hashable {
    /// An integer.
    case integer
    /// A Boolean, stored as 0 or 1.
    case boolean
    /// A floating-point number of 64 bits.
    case real
    /// A floating-point number of single precision.
    case single
    /// A decimal: an INTEGER, a REAL with the nearest value, or exact text.
    case decimal
    /// A text.
    case text
    /// A point in time, in seconds since 2001.
    case date
    /// Bytes.
    case data
    /// Bytes after a tag, or in an external file.
    case externalData
    /// A UUID of 16 bytes.
    case uuid
    /// A value as JSON; if the value is bytes, they are the reason why JSON cannot represent it.
    case json
    /// The URI of an object.
    case object
    /// Any value, written according to its storage class.
    case any

    /// Makes the form of an SQL expression's values.
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

    /// Makes the form of an attribute's values.
    public init(_ attribute: AttributeDescription) {
        if attribute.hasExternalData {
            self = .externalData
        } else {
            self.init(attribute.type)
        }
    }

    /// Makes the form of values of a type that are not in external files.
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

    /// Whether it is aligned to the right in a column.
    public var isNumber: Bool {
        switch self {
        case .integer, .real, .single, .decimal: true
        default: false
        }
    }
}
