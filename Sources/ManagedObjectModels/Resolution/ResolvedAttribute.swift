/// An attribute of an entity, declared or inherited; each element of a composite is an attribute of its own.
public struct ResolvedAttribute: Sendable {
    /// The attribute's declaration.
    public let description: AttributeDescription

    /// The name of the attribute, or the path of a composite's element, such as `unit.symbol`.
    public let name: String

    /// The slot of the entity that declares it.
    public let owner: Int

    /// The name of the outermost attribute, by which elements of composites sort; for other attributes, the name.
    public let outermostName: String

    /// The position among the elements of the outermost attribute in declared order; 0 for a plain attribute.
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

    /// The identifier by which later versions find the attribute: the renaming identifier, otherwise the name.
    public var canonicalName: String { description.renamingIdentifier ?? name }
}
