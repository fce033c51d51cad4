/// Limits on the resources that an XML document may use.
///
/// libxml2 adds its own limits: attribute values of 10 000 000 bytes, names of 50 000 bytes, and 10 000 000 bytes for
/// all distinct names of a document; entities that make a document ten times as large.
public struct XMLReadingLimits: Sendable, Hashable {
    /// The maximum number of open elements; 256 by default, as in libxml2.
    public var maximumDepth: Int

    /// The maximum length of a text in bytes; 256 MiB by default. A text is kept in memory as a whole.
    public var maximumTextLength: Int

    /// Whether a longer text is truncated to that length, instead of being an error.
    public var cutsLongTexts = false

    /// The maximum number of attributes of one element, including namespaces; 4 000 by default.
    ///
    /// libxml2 compares all pairs: a hundred thousand attributes would take seconds, a million hours.
    public var maximumAttributeCount: Int

    /// The maximum number of namespaces that open elements declare; 1 000 by default. Each name is looked up among
    /// them.
    public var maximumNamespaceCount: Int

    /// The maximum size of an internal DTD in bytes; 64 KiB by default. The time for lists in it grows quadratically.
    public var maximumDocumentTypeSize: Int

    /// The maximum depth of entities in the texts of others; 16 by default.
    public var maximumEntityDepth: Int

    /// The maximum number of bytes that entities and default values of a DTD may add to a document; 8 MiB by default.
    ///
    /// They may always add as many bytes as have been read of the document, unless this is 0, which refuses documents
    /// that use any.
    public var maximumExpansion: Int

    /// Makes limits; the defaults suit documents of any origin.
    public init(
        maximumDepth: Int = 256, maximumTextLength: Int = 256 << 20, maximumAttributeCount: Int = 4_000,
        maximumNamespaceCount: Int = 1_000, maximumDocumentTypeSize: Int = 64 << 10, maximumEntityDepth: Int = 16,
        maximumExpansion: Int = 8 << 20
    ) {
        self.maximumDepth = maximumDepth
        self.maximumTextLength = maximumTextLength
        self.maximumAttributeCount = maximumAttributeCount
        self.maximumNamespaceCount = maximumNamespaceCount
        self.maximumDocumentTypeSize = maximumDocumentTypeSize
        self.maximumEntityDepth = maximumEntityDepth
        self.maximumExpansion = maximumExpansion
    }
}
