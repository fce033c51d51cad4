/// What a model demands of an attribute's values beyond their type; also its validation predicates in full.
public struct AttributeValidation: Sendable, Hashable {
    /// The smallest number, the earliest date, or the shortest length of a string in UTF-16 units; nil for no limit.
    public var minimum: AttributeValue?

    /// The largest number, the latest date, or the greatest length of a string in UTF-16 units; nil for no limit.
    public var maximum: AttributeValue?

    /// An ICU regular expression that the whole string must match; nil for none.
    public var regularExpression: String?

    /// All other predicates of a compiled model, in the predicate format language.
    public var otherPredicates: [ValidationPredicate]

    /// Makes a validation; without arguments it demands nothing.
    public init(
        minimum: AttributeValue? = nil, maximum: AttributeValue? = nil, regularExpression: String? = nil,
        otherPredicates: [ValidationPredicate] = []
    ) {
        self.minimum = minimum
        self.maximum = maximum
        self.regularExpression = regularExpression
        self.otherPredicates = otherPredicates
    }

    /// Whether nothing is demanded.
    public var isEmpty: Bool { self == AttributeValidation() }
}
