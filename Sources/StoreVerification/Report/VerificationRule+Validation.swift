import ObjectValidation

extension VerificationRule {
    /// Makes the rule for a validation fault of an object.
    init(_ fault: ValidationFault) {
        self =
            switch fault {
            case .missing: .missingValue
            case .numberTooLarge, .dateTooLate: .aboveMaximum
            case .numberTooSmall, .dateTooSoon: .belowMinimum
            case .textTooLong: .textTooLong
            case .textTooShort: .textTooShort
            case .patternMismatch: .patternMismatch
            case .predicateFailed: .predicateFailed
            case .missingRelationship: .missingRelationship
            case .tooFewRelated: .tooFewRelated
            case .tooManyRelated: .tooManyRelated
            }
    }
}
