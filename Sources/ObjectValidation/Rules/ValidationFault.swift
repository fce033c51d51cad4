/// A rule of the model that an object violates, with its details; `sentence` puts it into words.
public enum ValidationFault: Hashable, Sendable {
    /// A required attribute has no value.
    case missing
    /// A value outside the model's bounds, or a text that does not match the regular expression.
    case numberTooLarge, numberTooSmall, dateTooLate, dateTooSoon, textTooLong, textTooShort, patternMismatch
    /// A validation predicate is not satisfied; its warning is a text of the model's author, or an error number.
    case predicateFailed(format: String, warning: String?)
    /// A required to-one relationship leads to no object.
    case missingRelationship
    /// A relationship leads to fewer objects than the model demands.
    case tooFewRelated(count: Int64, minimum: Int64)
    /// A relationship leads to more objects than the model allows.
    case tooManyRelated(count: Int64, maximum: Int64)

    /// Cocoa's error number (docs/format/errors.md).
    public var code: Int {
        switch self {
        case .missing, .missingRelationship: 1570
        case .tooFewRelated: 1580
        case .tooManyRelated: 1590
        case .numberTooLarge: 1610
        case .numberTooSmall: 1620
        case .dateTooLate: 1630
        case .dateTooSoon: 1640
        case .textTooLong: 1660
        case .textTooShort: 1670
        case .patternMismatch: 1680
        // Core Data's own rules are archived with their number instead of a warning.
        case .predicateFailed(_, let warning): warning.flatMap { Int($0) } ?? 1550
        }
    }
}
