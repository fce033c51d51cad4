/// A key of a YAML mapping with its value.
public struct YAMLEntry: Sendable {
    /// The key's text; keys are compared as texts, so that `1` and `"1"` are the same key.
    public let key: String
    /// The location of the key.
    public let keyLocation: SourceLocation
    /// The value of the key.
    public let value: YAMLNode
}
