/// A composite attribute type: named elements that attributes of that type bring into their entity.
public struct CompositeDescription: Sendable, Hashable {
    /// The composite's name, which attributes refer to.
    public var name: String

    /// The elements in declared order; an element may be composite itself.
    public var elements: [AttributeDescription]

    /// Makes a composite of its elements, in declared order.
    public init(name: String, elements: [AttributeDescription]) {
        self.name = name
        self.elements = elements
    }
}
