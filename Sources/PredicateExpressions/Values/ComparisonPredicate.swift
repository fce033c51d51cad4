/// A comparison of two expressions.
public struct ComparisonPredicate: Hashable, Sendable {
    /// Which elements of a to-many left side must satisfy the comparison; the raw value is Foundation's number.
    public enum Modifier: Int, Hashable, Sendable {
        /// The left side is a single value.
        case direct = 0
        /// `ALL`: every element must satisfy it.
        case all = 1
        /// `ANY` or `SOME`: at least one element must satisfy it.
        case any = 2
    }

    /// The expression before the operator.
    public var left: Expression
    /// The comparison operator.
    public var comparisonOperator: ComparisonOperator
    /// The expression after the operator.
    public var right: Expression
    /// Which elements of a to-many left side must satisfy the comparison.
    public var modifier: Modifier
    /// How strings are compared.
    public var options: ComparisonOptions

    /// Makes a comparison of two expressions.
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
