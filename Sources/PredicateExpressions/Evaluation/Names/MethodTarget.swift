/// On what a method is called, as far as it shows in the expression.
public enum MethodTarget: Hashable, Sendable {
    case evaluatedObject
    /// `$manager`, `$entityPolicy`
    case variable(String)
    case className(String)
    /// The value of any other expression.
    case value
}
