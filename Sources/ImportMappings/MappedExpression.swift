/// A value computed from columns of the record, in the predicate format language: `price * quantity`.
public struct MappedExpression: Hashable, Sendable, Codable {
    /// The expression; its key paths are names in `columns`.
    public var text: String

    /// The meaning of each name: a column, or a path into a nested record.
    public var columns: [String: String]

    /// Makes an expression, with the meanings of the names in it.
    public init(_ text: String, columns: [String: String]) {
        self.text = text
        self.columns = columns
    }
}
