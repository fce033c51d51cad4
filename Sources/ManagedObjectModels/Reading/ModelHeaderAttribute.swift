/// An attribute of the root element of a source model.
public struct ModelHeaderAttribute: Sendable, Hashable {
    /// The attribute's name, such as `documentVersion`.
    public var name: String
    /// The attribute's value as text.
    public var value: String

    /// Makes an attribute of the root element.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}
