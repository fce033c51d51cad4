public import SQLiteAccess

/// An expression as SQL, to be put into a statement.
public struct SQLFragment: Hashable, Sendable {
    /// One scalar expression, which can stand beside any operator. Its parameters are numbered: `?1`.
    public let text: String
    /// The values of its parameters, in order.
    public let parameters: [SQLiteValue]
    /// What kind of value it has. Predicates are booleans, or NULL if they are unknown.
    public let kind: SQLValueKind
    /// Whether `Connection.registerExpressionFunctions()` must have been called.
    public let usesFunctions: Bool
    /// Whether it is an error for some rows: they must not be looked at where another condition leaves them out.
    public let mayFail: Bool

    init(
        text: String, parameters: [SQLiteValue], kind: SQLValueKind, usesFunctions: Bool, mayFail: Bool = false
    ) {
        self.text = text
        self.parameters = parameters
        self.kind = kind
        self.usesFunctions = usesFunctions
        self.mayFail = mayFail
    }

    /// A column of a statement of one's own.
    public init(column: String, kind: SQLValueKind) {
        self.init(text: column, parameters: [], kind: kind, usesFunctions: false)
    }
}
