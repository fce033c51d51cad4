/// An attribute of an XML element.
public struct XMLAttribute: Sendable, Hashable {
    /// The attribute's name, with its namespace.
    public let name: XMLName
    /// The value, with entities replaced.
    public let value: String
}
