public import ManagedObjectModels
public import PredicateExpressions

/// A property of dictionary results.
public struct FetchedProperty: Sendable, Hashable {
    /// What the values are.
    public indirect enum Content: Sendable, Hashable {
        /// The value of an expression for each object.
        case expression(Expression)
        /// A value of the related object, in a request that unwinds a relationship.
        case related(Expression)
        /// The related object's place in its owner's list, from 1.
        case position
        /// A text that Swift makes of the object's values.
        case computed(ComputedText)
        /// An aggregate of the values of a group; without an expression the number of its objects.
        case aggregate(GroupAggregate, of: Expression?)
    }

    /// What the results call it: `department.name`, `sum(salary)`.
    public let name: String
    /// What the values are.
    public let content: Content
    /// What single values are converted to, by SQL's rules; nil for the type that follows from the content.
    public var resultType: AttributeType?

    /// Makes a property of a name, with values of a type if one is given.
    public init(name: String, _ content: Content, as resultType: AttributeType? = nil) {
        self.name = name
        self.content = content
        self.resultType = resultType
    }

    /// A key path or another expression, called as it is written.
    public init(_ expression: Expression) {
        self.init(name: expression.columnName, .expression(expression))
    }

    /// An aggregate, called `sum(salary)`, or `count` for the number of objects.
    public init(_ aggregate: GroupAggregate, of expression: Expression?) {
        self.init(
            name: aggregate.rawValue + (expression.map { "(\($0.columnName))" } ?? ""),
            .aggregate(aggregate, of: expression))
    }

    var isAggregate: Bool {
        if case .aggregate = content { true } else { false }
    }
}

extension Expression {
    /// What a column with the expression's values is called: a key path as it is, also where its names are keywords.
    var columnName: String {
        if case .keyPath(.evaluatedObject, let path) = self { path } else { format }
    }
}
