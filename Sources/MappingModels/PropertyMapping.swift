/// How one property of the destination gets its value.
public struct PropertyMapping: Sendable, Hashable {
    /// The name of the destination's property.
    public var name: String

    /// The value in the predicate format language.
    ///
    /// nil for an attribute that starts with its default or is derived, and for a relationship that nothing fills but
    /// its inverse.
    public var valueExpression: String?

    /// A relationship's key path from `$source`, as Xcode's editor keeps it beside the expression.
    public var sourceKeyPath: String?

    /// The entity mapping whose destination objects a relationship leads to, as Xcode's editor keeps it.
    public var sourceMappingName: String?

    /// Whether Xcode's editor made the expression from the key path and the mapping name; nil where nothing says so.
    public var isExpressionGenerated: Bool?

    /// Further steps that a compiled mapping model applies to the value, in order.
    public var transforms: [PropertyTransform]

    /// Free keys and values.
    public var userInfo: [String: String]

    public init(
        name: String, valueExpression: String? = nil, sourceKeyPath: String? = nil, sourceMappingName: String? = nil,
        isExpressionGenerated: Bool? = nil, transforms: [PropertyTransform] = [], userInfo: [String: String] = [:]
    ) {
        self.name = name
        self.valueExpression = valueExpression
        self.sourceKeyPath = sourceKeyPath
        self.sourceMappingName = sourceMappingName
        self.isExpressionGenerated = isExpressionGenerated
        self.transforms = transforms
        self.userInfo = userInfo
    }
}
