/// One column of a fetch index.
public struct FetchIndexElementDescription: Sendable, Hashable {
    public enum Collation: Int, Sendable, Hashable {
        case binary = 0
        case rTree = 1
    }

    /// The name of an attribute or relationship, or nil if the element is an expression.
    public var propertyName: String?

    /// The expression of an element that is not a plain property, in the predicate format language.
    public var expression: String?

    public var collation: Collation
    public var isAscending: Bool

    public init(
        propertyName: String?, expression: String? = nil, collation: Collation = .binary, isAscending: Bool = true
    ) {
        self.propertyName = propertyName
        self.expression = expression
        self.collation = collation
        self.isAscending = isAscending
    }
}
