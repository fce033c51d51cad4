/// A mapping that provides the value of one property of the destination.
public struct PropertyMapping: Sendable, Hashable {
    /// The name of the destination's property.
    public var name: String

    /// The expression of the value in the predicate format language.
    ///
    /// nil for an attribute that gets its default value or is derived, and for a relationship that is only filled by
    /// its inverse.
    public var valueExpression: String?

    /// A relationship's key path from `$source`, kept by Xcode's editor with the expression; nil if none is kept.
    public var sourceKeyPath: String?

    /// The entity mapping that makes the destination objects of a relationship, kept by Xcode's editor; nil if none is
    /// kept.
    public var sourceMappingName: String?

    /// Whether the expression is left to the compiler. It generates the default: from the key path and the mapping
    /// name, otherwise from the source's property with the same name. nil if not specified.
    public var isExpressionGenerated: Bool?

    /// Which of several objects a to-one relationship gets; nil if several are an error.
    public var choice: RelationshipChoice?

    /// Further steps that a compiled mapping model applies to the value, in order.
    public var transforms: [PropertyTransform]

    /// Arbitrary keys and values.
    public var userInfo: [String: String]

    /// Makes a property mapping; values that are not given are absent.
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
