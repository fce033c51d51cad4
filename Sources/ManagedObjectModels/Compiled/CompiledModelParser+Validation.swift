import KeyedArchives
import PredicateExpressions

extension CompiledModelParser {
    /// Returns the bounds and the pattern that an attribute's predicates represent; predicates of other forms are kept
    /// as text.
    mutating func validation(of object: ArchivedObject, type: AttributeType) throws -> AttributeValidation {
        var validation = AttributeValidation()
        let predicates = try object.elements("NSValidationPredicates") ?? []
        let texts = try object.elements("NSValidationWarnings") ?? []
        for (number, element) in predicates.enumerated() {
            guard let archived = element.object else { continue }
            let warning = number < texts.count ? try Self.warning(texts[number]) : nil
            let predicate: Predicate
            do {
                predicate = try Predicate(archived: archived)
            } catch let error as KeyedArchiveError where error.code == .typeUnexpected || error.code == .valueInvalid {
                warn(.notRepresentable("a validation predicate (\(error))"))
                continue
            }
            if let bound = ValidationBound(predicate, type: type), warning == nil || warning == "\(bound.code)",
                bound.assign(to: &validation)
            {
                continue
            }
            validation.otherPredicates.append(
                ValidationPredicate(predicateFormat: predicate.format, warning: warning))
        }
        return validation
    }

    private static func warning(_ value: ArchivedValue) throws -> String? {
        if let number = value.scalar?.integer { return "\(number)" }
        // The list has one text for each predicate; an empty text means none.
        let text = try value.string()
        return text?.isEmpty == true ? nil : text
    }
}
