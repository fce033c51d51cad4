/// An event as recorded by the parser; its data are in the parser's arrays.
struct XMLEventRecord {
    var event: XMLEvent

    /// Whether this is an empty-element tag, `<a/>`.
    var isEmptyElement = false

    /// Whether a text is known to consist of spaces, tabs and newlines only.
    var isBlank = false

    /// The index of an element's name in the name table; for a text, the length of its first piece, from which its
    /// location is computed.
    var nameIndex: Int32

    /// The line on which the event begins; for a text, on which its first piece ends.
    var line: Int32

    /// The column at which the event begins, 0 if unknown; for a text, at which its first piece ends.
    var column: Int32

    /// The offset of a start tag's `<`, or the offset after an end tag's `>`; negative if unknown.
    var offset = -1

    /// The offset of a text among the bytes, or that of a start tag's attributes.
    var start: Int

    /// The number of bytes, or of attributes.
    var count: Int
}

/// An attribute as recorded by the parser: its name, and the range of its value's bytes.
struct XMLAttributeRecord {
    var nameIndex: Int32
    var start: Int
    var count: Int
}
