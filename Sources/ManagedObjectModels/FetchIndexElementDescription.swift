/// One column of a fetch index.
public struct FetchIndexElementDescription: Sendable, Hashable {
    /// A kind of index.
    public enum Collation: Int, Sendable, Hashable {
        /// A B-tree, by the binary order of values.
        case binary = 0
        /// An R-tree, for spatial queries.
        case rTree = 1
    }

    /// The name of an attribute or relationship, or nil if the element is an expression.
    public var propertyName: String?

    /// The expression in the predicate format language; nil if the element is a property.
    public var expression: String?

    /// The kind of index that the element is for.
    public var collation: Collation
    /// Whether smaller values come first.
    public var isAscending: Bool

    /// Makes an element of a property, or of an expression.
    public init(
        propertyName: String?, expression: String? = nil, collation: Collation = .binary, isAscending: Bool = true
    ) {
        self.propertyName = propertyName
        self.expression = expression
        self.collation = collation
        self.isAscending = isAscending
    }
}
