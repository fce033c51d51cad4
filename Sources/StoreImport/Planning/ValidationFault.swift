/// A rule of the model that a value breaks.
enum ValidationFault: Equatable, Sendable {
    case missing, numberTooLarge, numberTooSmall, dateTooLate, dateTooSoon, textTooLong, textTooShort, patternMismatch
    /// A validation predicate; its warning is a text of the model's author, or an error number.
    case predicateFailed(format: String, warning: String?)

    /// Cocoa's error number.
    var code: Int {
        switch self {
        case .missing: 1570
        case .numberTooLarge: 1610
        case .numberTooSmall: 1620
        case .dateTooLate: 1630
        case .dateTooSoon: 1640
        case .textTooLong: 1660
        case .textTooShort: 1670
        case .patternMismatch: 1680
        // Core Data's own rules are archived with their number in the place of a warning.
        case .predicateFailed(_, let warning): warning.flatMap { Int($0) } ?? 1550
        }
    }

    var sentence: String {
        switch self {
        case .missing: "the attribute is required and has no value"
        case .numberTooLarge: "the number is larger than the model allows"
        case .numberTooSmall: "the number is smaller than the model allows"
        case .dateTooLate: "the date is later than the model allows"
        case .dateTooSoon: "the date is earlier than the model allows"
        case .textTooLong: "the text is longer than the model allows"
        case .textTooShort: "the text is shorter than the model allows"
        case .patternMismatch: "the text does not match the model's pattern"
        case .predicateFailed(let format, let warning?) where Int(warning) == nil:
            "\(warning) (the model's rule is \(format))"
        case .predicateFailed(let format, _): "the value breaks the model's rule \(format)"
        }
    }
}
