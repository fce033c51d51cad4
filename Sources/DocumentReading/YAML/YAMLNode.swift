/// A node of a YAML document. An alias is replaced by the node of its anchor, with the anchor's location.
public struct YAMLNode: Sendable {
    /// The content of a node.
    public enum Content: Sendable {
        /// A text, with its style in the document.
        case scalar(String, style: YAMLScalarStyle)
        /// The items of a list, in their order.
        case sequence([YAMLNode])
        /// The entries in the document's order; keys are unique.
        case mapping([YAMLEntry])
    }

    /// What the node consists of.
    public let content: Content

    /// The full tag (`tag:yaml.org,2002:str` for `!!str`); nil if there is none.
    public let tag: String?

    /// The location of the node's beginning.
    public let location: SourceLocation
}
