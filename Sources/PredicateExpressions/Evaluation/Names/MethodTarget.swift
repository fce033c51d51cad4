/// The target of a method call, as far as the expression determines it.
public enum MethodTarget: Hashable, Sendable {
    /// `SELF`.
    case evaluatedObject
    /// A variable, such as `$manager` or `$entityPolicy`.
    case variable(String)
    /// A class, by its name.
    case className(String)
    /// The value of any other expression.
    case value

    /// Whether it can be a value with methods, which a class is not.
    var isValue: Bool {
        if case .className = self { false } else { true }
    }
}
