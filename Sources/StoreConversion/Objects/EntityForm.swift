public import ManagedObjectModels

/// What objects of an entity consist of in every type of store: its stored attributes and relationships, in order.
public struct EntityForm: Sendable {
    /// The entity's place in the model.
    public let slot: Int
    /// The entity's name.
    public let name: String

    /// The slot of the entity at the top of its hierarchy: keys are unique among its objects.
    public let root: Int

    /// All attributes that a store keeps, inherited ones too, sorted by name; elements of composites one by one.
    public let attributes: [ResolvedAttribute]

    /// All relationships that a store keeps, inherited ones too, sorted by name.
    public let relationships: [ResolvedRelationship]
}

/// The forms of all entities of a model, by slot.
public struct ObjectForms: Sendable {
    /// The model whose entities they are.
    public let model: ResolvedModel
    /// The forms by slot of the entity.
    public let entities: [EntityForm]

    /// Makes the forms of a model's entities.
    public init(_ model: ResolvedModel) {
        self.model = model
        entities = model.entities.map { entity in
            EntityForm(
                slot: entity.slot, name: entity.name, root: entity.root,
                attributes: entity.attributes.filter(\.isStored),
                relationships: entity.relationships.filter(\.isStored))
        }
    }
}
