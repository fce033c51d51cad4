/// The name of an XML element or attribute.
public struct XMLName: Sendable, Hashable {
    /// The name without its prefix.
    public let localName: String

    /// The prefix as the document writes it; nil if there is none.
    public let prefix: String?

    /// The namespace; nil if the name is in none.
    public let namespaceURI: String?

    /// The name as the document writes it: `prefix:localName`, or the local name alone.
    public let qualifiedName: String

    init(localName: String, prefix: String?, namespaceURI: String?) {
        self.localName = localName
        self.prefix = prefix
        self.namespaceURI = namespaceURI
        qualifiedName = prefix.map { $0 + ":" + localName } ?? localName
    }
}
