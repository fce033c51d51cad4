/// A node of a YAML document. An alias is replaced by what it stands for, with the location of the anchor.
public struct YAMLNode: Sendable {
    /// What a node consists of, by its kind.
    public enum Content: Sendable {
        /// A text, with the style that it is written in.
        case scalar(String, style: YAMLScalarStyle)
        /// The items of a list, in their order.
        case sequence([YAMLNode])
        /// The entries in the document's order; no key occurs twice.
        case mapping([YAMLEntry])
    }

    /// What the node consists of.
    public let content: Content

    /// The tag in full (`tag:yaml.org,2002:str` for `!!str`); nil if the document gives none.
    public let tag: String?

    /// Where the node begins.
    public let location: SourceLocation
}
