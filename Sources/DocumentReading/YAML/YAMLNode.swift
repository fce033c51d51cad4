/// A node of a YAML document. An alias is replaced by what it stands for, with the location of the anchor.
public struct YAMLNode: Sendable {
    public enum Content: Sendable {
        case scalar(String, style: YAMLScalarStyle)
        case sequence([YAMLNode])
        /// The entries in the document's order; no key occurs twice.
        case mapping([YAMLEntry])
    }

    public let content: Content

    /// The tag in full (`tag:yaml.org,2002:str` for `!!str`); nil if the document gives none.
    public let tag: String?

    /// Where the node begins.
    public let location: SourceLocation
}
