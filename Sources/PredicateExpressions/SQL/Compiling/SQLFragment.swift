public import SQLiteAccess

/// An expression in SQL, for use in a statement.
public struct SQLFragment: Hashable, Sendable {
    /// One scalar expression, which can be an operand of any operator. Its parameters are numbered: `?1`.
    public let text: String
    /// The values of its parameters, in order.
    public let parameters: [SQLiteValue]
    /// The type of its value. Predicates are Booleans, or NULL if unknown.
    public let kind: SQLValueKind
    /// Whether `Connection.registerExpressionFunctions()` must have been called.
    public let usesFunctions: Bool
    /// Whether it fails for some rows, so that it must not be evaluated for rows that another condition excludes.
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

    /// Makes a fragment from a column of the caller's statement.
    public init(column: String, kind: SQLValueKind) {
        self.init(text: column, parameters: [], kind: kind, usesFunctions: false)
    }
}
