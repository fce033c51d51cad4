/// An attribute of the root element of a source model.
public struct ModelHeaderAttribute: Sendable, Hashable {
    public var name: String
    public var value: String

    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}
