internal import KeyedArchives
internal import ManagedObjectModels
internal import PredicateExpressions

extension AttributeValue {
    /// The value in the form of expressions; nil for binary data and arrays, whose columns can only be copied.
    var constant: ConstantValue? {
        switch self {
        case .integer(let number): .integer(number)
        case .decimal(let digits): DecimalNumber(digits).map { .decimal($0) }
        case .real(let number): .real(number)
        case .string(let text): .string(text)
        case .boolean(let flag): .boolean(flag)
        case .date(let seconds): .date(seconds)
        case .uuid(let bytes): .uuid(bytes)
        case .uri(let text): .url(text)
        case .binary, .array, .unparsed: nil
        }
    }
}
