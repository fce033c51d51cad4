internal import ManagedObjectModels
internal import PredicateExpressions

extension ModelRule {
    /// Default values that violate their own attribute's validation.
    static let defaults = ModelRule(.defaultBreaksRule) { subject in
        subject.attributes.compactMap { entity, attribute in
            guard let value = attribute.defaultValue, !attribute.isDerived,
                let reason = brokenRule(of: value, in: attribute)
            else { return nil }
            return subject.finding(.defaultBreaksRule, attribute.name, of: entity, reason)
        }
    }

    private static func brokenRule(of value: AttributeValue, in attribute: AttributeDescription) -> String? {
        let rules = attribute.validation
        let isText = attribute.type == .string
        let noun = isText ? "the default's length" : "the default"
        let measure = isText ? value.text.map { AttributeValue.integer(Int64($0.utf16.count)) } : value
        guard let measure, let number = ShortNumber.of(measure) else { return nil }
        if let minimum = rules.minimum, measure.isBelow(minimum), let limit = ShortNumber.of(minimum) {
            return "\(noun) \(number) is below the minimum \(limit)"
        }
        if let maximum = rules.maximum, maximum.isBelow(measure), let limit = ShortNumber.of(maximum) {
            return "\(noun) \(number) is above the maximum \(limit)"
        }
        // If the match takes too many steps, the result is unknown.
        if let pattern = rules.regularExpression, let text = value.text,
            (try? RegularExpression(pattern).matches(text)) == false
        {
            return "the default does not match the regular expression \(pattern)"
        }
        return nil
    }

    /// Bounds that exclude all values.
    static let bounds = ModelRule(.emptyRange) { subject in
        subject.attributes.compactMap { entity, attribute in
            guard let minimum = attribute.validation.minimum, let maximum = attribute.validation.maximum,
                maximum.isBelow(minimum), let least = ShortNumber.of(minimum), let greatest = ShortNumber.of(maximum)
            else { return nil }
            let noun = attribute.type == .string ? "length" : "value"
            return subject.finding(
                .emptyRange, attribute.name, of: entity,
                "the minimum \(noun) \(least) is above the maximum \(greatest)")
        }
    }

    /// Regular expressions that ICU rejects.
    static let patterns = ModelRule(.invalidPattern) { subject in
        subject.attributes.compactMap { entity, attribute in
            guard let pattern = attribute.validation.regularExpression, (try? RegularExpression(pattern)) == nil else {
                return nil
            }
            return subject.finding(
                .invalidPattern, attribute.name, of: entity, "the regular expression \(pattern) is malformed")
        }
    }
}
