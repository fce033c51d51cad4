/// An attribute as one of the entities that have it sees it; the elements of composites count one by one.
public struct ResolvedAttribute: Sendable {
    /// The attribute as its entity declares it.
    public let description: AttributeDescription

    /// The name, or the path (`unit.symbol`) of a composite's element.
    public let name: String

    /// The slot of the entity that declares it.
    public let owner: Int

    /// The name of the outermost attribute, by which elements of composites sort; the name itself otherwise.
    public let outermostName: String

    /// Its place among the elements of the outermost attribute in declared order; 0 for a plain attribute.
    public let elementIndex: Int

    /// The type of the attribute's values.
    public var type: AttributeType { description.type }
    /// Whether an object may be saved without a value.
    public var isOptional: Bool { description.isOptional }
    /// Whether the store computes the value from other values.
    public var isDerived: Bool { description.isDerived }

    /// Whether a store has a column for it.
    public var isStored: Bool {
        !description.isTransient && description.type != .undefined && description.type != .composite
    }

    /// The identifier by which later versions find it: the renaming identifier, else the name.
    public var canonicalName: String { description.renamingIdentifier ?? name }
}
