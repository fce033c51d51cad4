/// A key of a YAML mapping with its value.
public struct YAMLEntry: Sendable {
    /// The key's text; keys differ as texts, so that `1` and `"1"` are the same key.
    public let key: String
    public let keyLocation: SourceLocation
    public let value: YAMLNode
}
