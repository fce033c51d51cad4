/// How much an XML document may demand of its reader.
///
/// libxml2 adds its own limits: attribute values of 10 000 000 bytes, names of 50 000 bytes, and 10 000 000 bytes for
/// all distinct names of a document; entities that make a document ten times as large.
public struct XMLReadingLimits: Sendable, Hashable {
    /// The number of elements that may be open at once; 256 unless told, as in libxml2.
    public var maximumDepth: Int

    /// The length of one text in bytes; 256 MiB unless told. A text is held in memory as a whole.
    public var maximumTextLength: Int

    /// Whether a text that is longer is cut to that length, instead of being an error.
    public var cutsLongTexts = false

    /// The number of attributes of one element, namespaces included; 4 000 unless told.
    ///
    /// libxml2 compares each with each: a hundred thousand would take seconds, a million hours.
    public var maximumAttributeCount: Int

    /// The number of namespaces that open elements declare; 1 000 unless told. Each name is looked up among them.
    public var maximumNamespaceCount: Int

    /// The size of a DTD inside the document, in bytes; 64 KiB unless told. Lists in it take a time that grows with
    /// their square.
    public var maximumDocumentTypeSize: Int

    /// How deep entities may stand in the texts of others; 16 unless told.
    public var maximumEntityDepth: Int

    /// The bytes that entities and default values of a DTD may add to a document; 8 MiB unless told.
    ///
    /// They may always add as much as has been read of the document, unless this is 0, which refuses documents that
    /// use any.
    public var maximumExpansion: Int

    /// Limits that suit documents of any origin, or others.
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
