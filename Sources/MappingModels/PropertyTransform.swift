/// A step of a compiled mapping model's property mapping: a value for a property, perhaps only where it has none.
public struct PropertyTransform: Sendable, Hashable {
    /// The name of the property whose value the step sets.
    public var propertyName: String

    /// The value in the predicate format language; nil if the step has none.
    public var valueExpression: String?

    /// Whether a value that is already there stays.
    public var replacesMissingValueOnly: Bool

    /// Makes a step that gives a property a value.
    public init(propertyName: String, valueExpression: String? = nil, replacesMissingValueOnly: Bool = false) {
        self.propertyName = propertyName
        self.valueExpression = valueExpression
        self.replacesMissingValueOnly = replacesMissingValueOnly
    }
}
