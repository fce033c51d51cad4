/// The start of a key path.
public enum NameStart: Hashable, Sendable {
    /// `SELF`, the evaluated object or record, at which key paths start by default.
    case evaluatedObject
    /// A variable, `$name`.
    case variable(String)
    /// An object that is only known during the evaluation: an element of a collection, or a method's result.
    case object
}
