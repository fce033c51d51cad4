internal import ManagedObjectModels
internal import PredicateExpressions

extension ModelRule {
    /// A default value that its own attribute refuses.
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
        guard let measure = isText ? value.text.map({ Double($0.utf16.count) }) : value.number else { return nil }
        if let minimum = rules.minimum?.number, measure < minimum {
            return "\(noun) \(ShortNumber.of(measure)) is below the minimum \(ShortNumber.of(minimum))"
        }
        if let maximum = rules.maximum?.number, measure > maximum {
            return "\(noun) \(ShortNumber.of(measure)) is above the maximum \(ShortNumber.of(maximum))"
        }
        // What takes too many steps to find out is not known.
        if let pattern = rules.regularExpression, let text = value.text,
            (try? RegularExpression(pattern).matches(text)) == false
        {
            return "the default does not match the regular expression \(pattern)"
        }
        return nil
    }

    /// Bounds that leave no value between them.
    static let bounds = ModelRule(.emptyRange) { subject in
        subject.attributes.compactMap { entity, attribute in
            guard let minimum = attribute.validation.minimum?.number,
                let maximum = attribute.validation.maximum?.number,
                minimum > maximum
            else { return nil }
            let noun = attribute.type == .string ? "length" : "value"
            return subject.finding(
                .emptyRange, attribute.name, of: entity,
                "the minimum \(noun) \(ShortNumber.of(minimum)) is above the maximum \(ShortNumber.of(maximum))")
        }
    }

    /// Regular expressions that ICU refuses.
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
