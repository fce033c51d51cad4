/// An attribute of an XML element.
public struct XMLAttribute: Sendable, Hashable {
    public let name: XMLName
    public let value: String
}
