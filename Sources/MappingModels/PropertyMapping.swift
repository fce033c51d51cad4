/// How one property of the destination gets its value.
public struct PropertyMapping: Sendable, Hashable {
    /// The name of the destination's property.
    public var name: String

    /// The value in the predicate format language.
    ///
    /// nil for an attribute that starts with its default or is derived, and for a relationship that nothing fills but
    /// its inverse.
    public var valueExpression: String?

    /// A relationship's key path from `$source`, as Xcode's editor keeps it beside the expression; nil if none is kept.
    public var sourceKeyPath: String?

    /// The entity mapping whose destination objects a relationship leads to, as Xcode's editor keeps it; nil if none is
    /// kept.
    public var sourceMappingName: String?

    /// Whether the expression is left to the compiler, which makes the usual one: from the key path and the mapping
    /// name, else from the source's property of the same name. nil if nothing says so.
    public var isExpressionGenerated: Bool?

    /// Which of several objects a to-one relationship leads to; nil if several are an error.
    public var choice: RelationshipChoice?

    /// Further steps that a compiled mapping model applies to the value, in order.
    public var transforms: [PropertyTransform]

    /// Free keys and values.
    public var userInfo: [String: String]

    /// Makes a property mapping; what is not given is absent.
    public init(
        name: String, valueExpression: String? = nil, sourceKeyPath: String? = nil, sourceMappingName: String? = nil,
        isExpressionGenerated: Bool? = nil, choice: RelationshipChoice? = nil, transforms: [PropertyTransform] = [],
        userInfo: [String: String] = [:]
    ) {
        self.name = name
        self.valueExpression = valueExpression
        self.sourceKeyPath = sourceKeyPath
        self.sourceMappingName = sourceMappingName
        self.isExpressionGenerated = isExpressionGenerated
        self.choice = choice
        self.transforms = transforms
        self.userInfo = userInfo
    }
}
