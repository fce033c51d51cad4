/// A value computed from columns of the record, in the predicate format language: `price * quantity`.
public struct MappedExpression: Hashable, Sendable, Codable {
    /// The expression; its key paths are names that `columns` has.
    public var text: String

    /// What each name stands for: a column, or a path into a nested record.
    public var columns: [String: String]

    /// Makes an expression, and says what the names in it stand for.
    public init(_ text: String, columns: [String: String]) {
        self.text = text
        self.columns = columns
    }
}
