/// What an XML reader stands on.
public enum XMLEvent: UInt8, Sendable, Hashable {
    /// The tag that begins an element; its attributes are at hand.
    case startElement
    /// Text between two tags, also blank text.
    case text
    /// The tag that ends an element, or the end of an element that is written as `<a/>`.
    case endElement
}
