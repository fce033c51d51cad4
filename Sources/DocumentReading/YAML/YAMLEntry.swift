/// A key of a YAML mapping with its value.
public struct YAMLEntry: Sendable {
    /// The key's text; keys differ as texts, so that `1` and `"1"` are the same key.
    public let key: String
    /// Where the key begins.
    public let keyLocation: SourceLocation
    /// What stands behind the key.
    public let value: YAMLNode
}
