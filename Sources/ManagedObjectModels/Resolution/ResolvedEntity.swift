/// An entity with its position in the hierarchy and all its properties, including inherited ones.
public struct ResolvedEntity: Sendable {
    /// The entity's declaration.
    public let description: EntityDescription

    /// The index in `ResolvedModel.entities`; the entity number in a store is one more.
    public let slot: Int

    /// The slot of the entity that it inherits from; nil for a root entity.
    public let superentity: Int?

    /// The slot of the entity at the top of the hierarchy.
    public let root: Int

    /// The slots of the entity itself and all its subentities.
    public let subtree: Range<Int>

    /// All attributes, including transient ones, sorted by name in code-point order.
    public let attributes: [ResolvedAttribute]

    /// All relationships, including transient ones, sorted by name in code-point order.
    public let relationships: [ResolvedRelationship]

    /// The entity's name.
    public var name: String { description.name }
    /// Whether only its subentities can have objects.
    public var isAbstract: Bool { description.isAbstract }

    /// The entity number (Z_ENT) in a store of this model.
    public var number: Int { slot + 1 }

    /// Whether other entities inherit from it.
    public var hasSubentities: Bool { subtree.count > 1 }

    /// The identifier by which later versions find the entity: the renaming identifier, otherwise the name.
    public var canonicalName: String { description.renamingIdentifier ?? description.name }

    /// Returns the attribute with a name, or with a path in a composite; nil if there is none. A linear search.
    public func attribute(named name: String) -> ResolvedAttribute? {
        attributes.first { $0.name == name }
    }

    /// Returns the relationship with a name; nil if there is none. A linear search.
    public func relationship(named name: String) -> ResolvedRelationship? {
        relationships.first { $0.name == name }
    }

    /// The attributes that the entity declares itself.
    public var declaredAttributes: [ResolvedAttribute] { attributes.filter { $0.owner == slot } }

    /// The relationships that the entity declares itself.
    public var declaredRelationships: [ResolvedRelationship] { relationships.filter { $0.owner == slot } }
}
