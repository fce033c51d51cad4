/// What an XML reader stands on.
public enum XMLEvent: UInt8, Sendable, Hashable {
    case startElement
    case text
    case endElement
}
