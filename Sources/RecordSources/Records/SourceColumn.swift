/// A column of a flat source: what its header, table or query calls it.
public struct SourceColumn: Equatable, Sendable {
    /// The name as it stands in the source; for a source without header `column1`, `column2` and so on.
    public var name: String
    /// The declared type of a database column, as written; nil elsewhere.
    public var declaredType: String?

    /// Makes a column.
    public init(name: String, declaredType: String? = nil) {
        self.name = name
        self.declaredType = declaredType
    }
}
