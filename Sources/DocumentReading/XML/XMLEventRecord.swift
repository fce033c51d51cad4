/// One event as the parser recorded it; what it refers to lies in the parser's arrays.
struct XMLEventRecord {
    var event: XMLEvent

    /// Whether the element is written as `<a/>`.
    var isEmptyElement = false

    /// Whether a text is known to be nothing but spaces, tabs and newlines.
    var isBlank = false

    /// An element's index in the name table; of a text, the length of its first piece, which its place depends on.
    var nameIndex: Int32

    /// The line where the event begins; of a text, where its first piece ends.
    var line: Int32

    /// The column where the event begins, 0 if it is not known; of a text, where its first piece ends.
    var column: Int32

    /// Of a start tag the offset of its `<`, of an end tag the offset behind its `>`; negative where it is not known.
    var offset = -1

    /// Of a text its place among the bytes, of a start tag the place of its attributes.
    var start: Int

    /// The number of bytes, or of attributes.
    var count: Int
}

/// An attribute as the parser recorded it: its name, and where the bytes of its value are.
struct XMLAttributeRecord {
    var nameIndex: Int32
    var start: Int
    var count: Int
}
