/// The constraints on an attribute's values beyond their type, including validation predicates of any form.
public struct AttributeValidation: Sendable, Hashable {
    /// The minimum number, the earliest date, or the minimum length of a string in UTF-16 units; nil for no limit.
    public var minimum: AttributeValue?

    /// The maximum number, the latest date, or the maximum length of a string in UTF-16 units; nil for no limit.
    public var maximum: AttributeValue?

    /// An ICU regular expression that the whole string must match; nil for none.
    public var regularExpression: String?

    /// The other predicates of a compiled model, in the predicate format language.
    public var otherPredicates: [ValidationPredicate]

    /// Makes a validation; without arguments it has no constraints.
    public init(
        minimum: AttributeValue? = nil, maximum: AttributeValue? = nil, regularExpression: String? = nil,
        otherPredicates: [ValidationPredicate] = []
    ) {
        self.minimum = minimum
        self.maximum = maximum
        self.regularExpression = regularExpression
        self.otherPredicates = otherPredicates
    }

    /// Whether there are no constraints.
    public var isEmpty: Bool { self == AttributeValidation() }
}
