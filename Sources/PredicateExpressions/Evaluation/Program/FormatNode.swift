/// A predicate or an expression.
enum FormatNode: Hashable, Sendable {
    case predicate(Predicate)
    case expression(Expression)

    var format: String {
        switch self {
        case .predicate(let predicate): predicate.format
        case .expression(let expression): expression.format
        }
    }
}
