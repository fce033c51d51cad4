/// Where a value comes from.
public enum ValueOrigin: Hashable, Sendable, Codable {
    /// A column of a flat source by name, or a path into a nested record.
    case column(String)
    /// The first of several columns or paths that has a value, where a text that counts as NULL is not a value.
    case firstOf([String])
    /// The same text for all records.
    case constant(String)
    /// A text with columns in it.
    case template(TextTemplate)
    /// A computed value.
    case expression(MappedExpression)

    /// The columns and paths that it needs, in order, each once.
    public var columns: [String] {
        switch self {
        case .column(let name): [name]
        case .firstOf(let names): names
        case .constant: []
        case .template(let template): template.columns
        case .expression(let expression): expression.columns.keys.sorted().compactMap { expression.columns[$0] }
        }
    }
}
