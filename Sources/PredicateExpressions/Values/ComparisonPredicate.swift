/// Two expressions and how they are compared.
public struct ComparisonPredicate: Hashable, Sendable {
    /// Which elements of a to-many left side must satisfy the comparison; the raw value is Foundation's number.
    public enum Modifier: Int, Hashable, Sendable {
        case direct = 0
        case all = 1
        case any = 2
    }

    public var left: Expression
    public var comparisonOperator: ComparisonOperator
    public var right: Expression
    public var modifier: Modifier
    public var options: ComparisonOptions

    public init(
        _ left: Expression, _ comparisonOperator: ComparisonOperator, _ right: Expression,
        modifier: Modifier = .direct, options: ComparisonOptions = []
    ) {
        self.left = left
        self.comparisonOperator = comparisonOperator
        self.right = right
        self.modifier = modifier
        self.options = options
    }
}
