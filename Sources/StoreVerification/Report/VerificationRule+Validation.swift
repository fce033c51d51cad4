import ObjectValidation

extension VerificationRule {
    /// The rule under which a fault of an object is found.
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
