public import ManagedObjectModels

/// The stored attributes and relationships of an entity's objects, in an order that is the same for every type of
/// store.
public struct EntityForm: Sendable {
    /// The entity's slot in the model.
    public let slot: Int
    /// The entity's name.
    public let name: String

    /// The slot of the root entity of its hierarchy, among whose objects keys are unique.
    public let root: Int

    /// All stored attributes, including inherited ones, sorted by name; the elements of composite attributes are
    /// separate attributes.
    public let attributes: [ResolvedAttribute]

    /// All stored relationships, including inherited ones, sorted by name.
    public let relationships: [ResolvedRelationship]
}

/// The forms of all entities of a model, by slot.
public struct ObjectForms: Sendable {
    /// The model of the entities.
    public let model: ResolvedModel
    /// The forms by slot of the entity.
    public let entities: [EntityForm]

    /// Creates the forms of a model's entities.
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
