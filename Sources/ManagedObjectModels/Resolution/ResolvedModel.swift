/// A model whose names are resolved into slots: entities in Core Data's numbering, properties with the inherited ones.
///
/// Slot i is entity number i + 1 (docs/format/sqlite-store.md#entity-numbers): roots sorted by name without regard to
/// case, each followed depth first by its subentities. The entities of a hierarchy are therefore neighbours.
public struct ResolvedModel: Sendable {
    /// The model whose names are resolved.
    public let model: ManagedObjectModel

    /// The entities by slot.
    public let entities: [ResolvedEntity]

    private let slots: [String: Int]

    /// By the name of a property: whether it is a to-many relationship in every entity that has it.
    private let propertyNames: [String: Bool]

    /// Resolves a model.
    /// - Throws: `ModelError` for an unknown superentity, a cycle of inheritance, an unknown destination, a clash of
    ///   names, or an unknown composite.
    public init(_ model: ManagedObjectModel) throws(ModelError) {
        var resolver = try ModelResolver(model)
        entities = try resolver.resolvedEntities()
        slots = resolver.slots
        var names: [String: Bool] = [:]
        for entity in entities {
            for relationship in entity.relationships where relationship.owner == entity.slot {
                names[relationship.name, default: true] = names[relationship.name] ?? true && relationship.isToMany
            }
            for attribute in entity.attributes where attribute.owner == entity.slot { names[attribute.name] = false }
        }
        propertyNames = names
        self.model = model
    }

    /// The slot of the entity of that name; nil if there is none.
    public func slot(named name: String) -> Int? {
        slots[name]
    }

    /// The entity of that name; nil if there is none.
    public func entity(named name: String) -> ResolvedEntity? {
        slots[name].map { entities[$0] }
    }

    /// Whether some entity has a property of that name.
    public func hasProperty(named name: String) -> Bool { propertyNames[name] != nil }

    /// Whether some entity has a property of that name, and all that do have a to-many relationship.
    public func isToManyEverywhere(_ name: String) -> Bool { propertyNames[name] ?? false }

    /// The slots without a superentity, in order: each stands for one table of a SQLite store.
    public var rootSlots: [Int] {
        entities.indices.filter { entities[$0].superentity == nil }
    }

    /// Whether an entity is another one or inherits from it.
    public func isKind(_ slot: Int, of ancestor: Int) -> Bool {
        entities[ancestor].subtree.contains(slot)
    }
}
