import KeyedArchives
public import ManagedObjectModels
public import PredicateExpressions

extension ExpressionValue {
    /// Makes the value of an attribute; nil becomes NULL.
    public init(_ value: AttributeValue?) {
        switch value {
        case nil: self = .null
        case .integer(let number): self = .integer(number)
        case .decimal(let digits): self = DecimalNumber(digits).map { .decimal($0) } ?? .null
        case .real(let number): self = number.isNaN ? .null : .real(number)
        case .string(let text), .unparsed(let text): self = .string(text)
        case .boolean(let flag): self = .boolean(flag)
        case .date(let seconds): self = .date(seconds)
        case .binary(let bytes): self = .data(bytes)
        case .uuid(let bytes): self = .uuid(bytes)
        case .uri(let text): self = .url(text)
        case .array(let elements): self = .array(elements.map { ExpressionValue($0) })
        }
    }

    /// The value as that of an attribute; nil for NULL, and for a value that an attribute cannot have.
    public var attributeValue: AttributeValue? {
        switch self {
        case .boolean(let flag): .boolean(flag)
        case .integer(let number): .integer(number)
        case .real(let number): .real(number)
        case .decimal(let number): .decimal(number.description)
        case .string(let text), .className(let text): .string(text)
        case .date(let seconds): .date(seconds)
        case .data(let bytes): .binary(bytes)
        case .uuid(let bytes): .uuid(bytes)
        case .url(let text): .uri(text)
        case .null, .object, .array, .set, .host: nil
        }
    }
}
