/// A validation predicate of a property with the warning for values that fail it.
public struct ValidationPredicate: Sendable, Hashable {
    /// The predicate in the predicate format language.
    public var predicateFormat: String

    /// A warning text, or a Cocoa error number as text; nil if the model has none.
    public var warning: String?

    /// Makes a validation predicate with the warning for values that fail it.
    public init(predicateFormat: String, warning: String? = nil) {
        self.predicateFormat = predicateFormat
        self.warning = warning
    }
}
