public import ManagedObjectModels
public import PredicateExpressions

/// A property of dictionary results.
public struct FetchedProperty: Sendable, Hashable {
    /// The content of a property.
    public indirect enum Content: Sendable, Hashable {
        /// The value of an expression for each object.
        case expression(Expression)
        /// A value of the related object, in a request that unwinds a relationship.
        case related(Expression)
        /// The related object's position in its owner's list, from 1.
        case position
        /// A text that Swift computes from the object's values.
        case computed(ComputedText)
        /// An aggregate over the values of a group; without an expression, the number of its objects.
        case aggregate(GroupAggregate, of: Expression?)
    }

    /// The name in the results: `department.name`, `sum(salary)`.
    public let name: String
    /// The content of the property.
    public let content: Content
    /// The type to which single values are converted, by SQL's rules; nil for the type of the content.
    public var resultType: AttributeType?

    /// Makes a property with a name, and optionally a type of its values.
    public init(name: String, _ content: Content, as resultType: AttributeType? = nil) {
        self.name = name
        self.content = content
        self.resultType = resultType
    }

    /// Makes a property from a key path or another expression, named by its text.
    public init(_ expression: Expression) {
        self.init(name: expression.columnName, .expression(expression))
    }

    /// Makes an aggregate, named like `sum(salary)`, or `count` for the number of objects.
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
    /// The name of a column with the expression's values: a key path as it is, even if its names are keywords.
    var columnName: String {
        if case .keyPath(.evaluatedObject, let path) = self { path } else { format }
    }
}
