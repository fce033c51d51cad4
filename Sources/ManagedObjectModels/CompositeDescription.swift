/// A composite attribute type: named elements that are added to the entities of attributes with that type.
public struct CompositeDescription: Sendable, Hashable {
    /// The composite's name, which attributes refer to.
    public var name: String

    /// The elements in declared order; an element may be composite itself.
    public var elements: [AttributeDescription]

    /// Makes a composite from its elements, in declared order.
    public init(name: String, elements: [AttributeDescription]) {
        self.name = name
        self.elements = elements
    }
}
