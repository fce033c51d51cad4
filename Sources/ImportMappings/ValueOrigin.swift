/// The origin of a value.
public enum ValueOrigin: Hashable, Sendable, Codable {
    /// A column of a flat source by name, or a path into a nested record.
    case column(String)
    /// The first of several columns or paths that has a value; a text that means NULL is not a value.
    case firstOf([String])
    /// The same text for all records.
    case constant(String)
    /// A text that contains columns.
    case template(TextTemplate)
    /// A computed value.
    case expression(MappedExpression)

    /// The columns and paths that it uses, in order, without duplicates.
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
