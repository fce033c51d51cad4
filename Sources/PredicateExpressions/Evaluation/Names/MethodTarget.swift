/// On what a method is called, as far as it shows in the expression.
public enum MethodTarget: Hashable, Sendable {
    case evaluatedObject
    /// `$manager`, `$entityPolicy`
    case variable(String)
    case className(String)
    /// The value of any other expression.
    case value

    /// Whether it can be a value with methods of its own, which a class is not.
    var isValue: Bool {
        if case .className = self { false } else { true }
    }
}
