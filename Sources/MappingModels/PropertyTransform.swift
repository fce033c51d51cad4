/// A step of a property mapping in a compiled mapping model: sets a property, or only a missing value.
public struct PropertyTransform: Sendable, Hashable {
    /// The name of the property whose value the step sets.
    public var propertyName: String

    /// The expression of the value in the predicate format language; nil if the step has none.
    public var valueExpression: String?

    /// Whether an existing value is kept.
    public var replacesMissingValueOnly: Bool

    /// Makes a step that sets the value of a property.
    public init(propertyName: String, valueExpression: String? = nil, replacesMissingValueOnly: Bool = false) {
        self.propertyName = propertyName
        self.valueExpression = valueExpression
        self.replacesMissingValueOnly = replacesMissingValueOnly
    }
}
