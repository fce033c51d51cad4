/// A column of a flat source, named by its header, table or query.
public struct SourceColumn: Equatable, Sendable {
    /// The name in the source; without a header, `column1`, `column2` and so on.
    public var name: String
    /// The declared type of a database column, as written; nil for other sources.
    public var declaredType: String?

    /// Creates a column.
    public init(name: String, declaredType: String? = nil) {
        self.name = name
        self.declaredType = declaredType
    }
}
