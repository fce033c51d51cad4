/// The kind of an XML reader's current event.
public enum XMLEvent: UInt8, Sendable, Hashable {
    /// The tag that begins an element, with its attributes.
    case startElement
    /// Text between two tags, including blank text.
    case text
    /// The tag that ends an element, or the end of an empty-element tag `<a/>`.
    case endElement
}
