/// What a key path starts from.
public enum NameStart: Hashable, Sendable {
    /// `SELF`, the object or record that is evaluated; key paths without a beginning start here.
    case evaluatedObject
    /// A variable, `$name`.
    case variable(String)
    /// An object that is only known when the expression is evaluated: an element of a collection, a method's result.
    case object
}
