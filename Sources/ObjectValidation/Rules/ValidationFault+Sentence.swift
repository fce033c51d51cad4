import PersistentStores

extension ValidationFault {
    /// The fault as a sentence about several objects, without the number of a single one.
    public var rule: String {
        switch self {
        case .tooFewRelated: "the relationship has fewer objects than the model demands"
        case .tooManyRelated: "the relationship has more objects than the model allows"
        default: sentence
        }
    }

    /// The fault as a sentence about the object, without its name; includes a predicate's warning as the model's author
    /// wrote or localized it.
    public var sentence: String {
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
        case .missingRelationship: "the relationship is required, and it has no object"
        case .tooFewRelated(let count, let minimum):
            "the relationship needs at least \(Quantity.count(minimum, "object")), and has \(count)"
        case .tooManyRelated(let count, let maximum):
            "the relationship may have at most \(Quantity.count(maximum, "object")), and has \(count)"
        }
    }
}
