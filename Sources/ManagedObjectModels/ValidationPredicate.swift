/// A validation predicate of a property, with a warning for values that do not satisfy it.
public struct ValidationPredicate: Sendable, Hashable {
    /// The predicate in the predicate format language.
    public var predicateFormat: String

    /// A warning text, or a Cocoa error number as text; nil if the model has none.
    public var warning: String?

    /// Makes a validation predicate, with a warning for values that do not satisfy it.
    public init(predicateFormat: String, warning: String? = nil) {
        self.predicateFormat = predicateFormat
        self.warning = warning
    }
}
