/// The type of an attribute; the raw value is the number that compiled models and version hashes use.
public enum AttributeType: Int, Sendable, Hashable, CaseIterable {
    /// No type: only transient attributes may have it.
    case undefined = 0
    /// Integers from -32 768 to 32 767.
    case integer16 = 100
    /// Signed integers of 32 bits.
    case integer32 = 200
    /// Signed integers of 64 bits.
    case integer64 = 300
    /// `NSDecimalNumber`: decimal numbers of up to 38 digits.
    case decimal = 400
    /// Floating-point numbers of 64 bits.
    case double = 500
    /// Floating-point numbers of 32 bits.
    case float = 600
    /// Text.
    case string = 700
    /// True or false.
    case boolean = 800
    /// A point in time, in seconds since 2001-01-01T00:00:00Z.
    case date = 900
    /// Bytes.
    case binaryData = 1000
    /// A UUID of 16 bytes.
    case uuid = 1100
    /// A URL.
    case uri = 1200
    /// An object of any class, which a value transformer turns into bytes.
    case transformable = 1800
    /// The ID of an object; such an attribute is never stored.
    case objectID = 2000
    /// Elements with names and types of their own, which a `CompositeDescription` lists.
    case composite = 2100

    /// The name of the type in a source model's `attributeType`, and in messages.
    public var name: String {
        switch self {
        case .undefined: "Undefined"
        case .integer16: "Integer 16"
        case .integer32: "Integer 32"
        case .integer64: "Integer 64"
        case .decimal: "Decimal"
        case .double: "Double"
        case .float: "Float"
        case .string: "String"
        case .boolean: "Boolean"
        case .date: "Date"
        case .binaryData: "Binary"
        case .uuid: "UUID"
        case .uri: "URI"
        case .transformable: "Transformable"
        case .objectID: "ObjectID"
        case .composite: "Composite"
        }
    }

    /// Makes the type with a source model's name, such as `Integer 16`; nil if there is none.
    public init?(name: String) {
        guard let type = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = type
    }

    /// The class of the type's values, to which `CAST` converts; nil if the type does not determine it.
    public var valueClassName: String? {
        switch self {
        case .integer16, .integer32, .integer64, .double, .float, .boolean: "NSNumber"
        case .decimal: "NSDecimalNumber"
        case .string: "NSString"
        case .date: "NSDate"
        case .binaryData: "NSData"
        case .uuid: "NSUUID"
        case .uri: "NSURL"
        case .undefined, .transformable, .objectID, .composite: nil
        }
    }

    /// The range of an integer type's values; nil for other types.
    public var integerRange: ClosedRange<Int64>? {
        switch self {
        case .integer16: Int64(Int16.min)...Int64(Int16.max)
        case .integer32: Int64(Int32.min)...Int64(Int32.max)
        case .integer64: Int64.min...Int64.max
        default: nil
        }
    }
}
