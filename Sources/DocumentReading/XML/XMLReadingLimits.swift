/// How much an XML document may demand of its reader.
///
/// libxml2 adds its own limits: attribute values of 10 000 000 bytes, names of 50 000 bytes, and 10 000 000 bytes for
/// all distinct names of a document.
public struct XMLReadingLimits: Sendable, Hashable {
    /// The number of elements that may be open at once; 256 unless told, as in libxml2.
    public var maximumDepth: Int

    /// The length of one text in bytes; 256 MiB unless told. A text is held in memory as a whole.
    public var maximumTextLength: Int

    /// The number of attributes of one element, namespaces included; 4 000 unless told.
    ///
    /// libxml2 compares each with each: a hundred thousand would take seconds, a million hours.
    public var maximumAttributeCount: Int

    /// The number of namespaces that open elements declare; 1 000 unless told. Each name is looked up among them.
    public var maximumNamespaceCount: Int

    public init(
        maximumDepth: Int = 256, maximumTextLength: Int = 256 << 20, maximumAttributeCount: Int = 4_000,
        maximumNamespaceCount: Int = 1_000
    ) {
        self.maximumDepth = maximumDepth
        self.maximumTextLength = maximumTextLength
        self.maximumAttributeCount = maximumAttributeCount
        self.maximumNamespaceCount = maximumNamespaceCount
    }
}
