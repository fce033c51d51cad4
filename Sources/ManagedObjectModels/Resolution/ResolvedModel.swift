/// A model whose names are resolved into slots: entities in Core Data's numbering, with declared and inherited
/// properties.
///
/// Slot i is entity number i + 1 (docs/format/sqlite-store.md#entity-numbers): roots are sorted by name, ignoring case,
/// each followed depth first by its subentities. The entities of a hierarchy are therefore adjacent.
public struct ResolvedModel: Sendable {
    /// The model whose names are resolved.
    public let model: ManagedObjectModel

    /// The entities by slot.
    public let entities: [ResolvedEntity]

    private let slots: [String: Int]

    /// Whether a property is a to-many relationship in every entity that has it, by the property's name.
    private let propertyNames: [String: Bool]

    /// Resolves a model.
    /// - Throws: `ModelError` for an unknown superentity, a cycle of inheritance, an unknown destination, a duplicate
    ///   name, or an unknown composite.
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

    /// Returns the slot of the entity with a name; nil if there is none.
    public func slot(named name: String) -> Int? {
        slots[name]
    }

    /// Returns the entity with a name; nil if there is none.
    public func entity(named name: String) -> ResolvedEntity? {
        slots[name].map { entities[$0] }
    }

    /// Returns whether any entity has a property with this name.
    public func hasProperty(named name: String) -> Bool { propertyNames[name] != nil }

    /// Returns whether any entity has a property with this name, and it is a to-many relationship in all that do.
    public func isToManyEverywhere(_ name: String) -> Bool { propertyNames[name] ?? false }

    /// The slots without a superentity, in order: each has a table in a SQLite store.
    public var rootSlots: [Int] {
        entities.indices.filter { entities[$0].superentity == nil }
    }

    /// Returns the inverse of a relationship of this model, as its declaring entity sees it; nil if there is none.
    public func inverse(of relationship: ResolvedRelationship) -> ResolvedRelationship? {
        relationship.inverse.flatMap { entities[$0.owner].relationship(named: $0.name) }
    }

    /// Returns whether an entity is another one or inherits from it.
    public func isKind(_ slot: Int, of ancestor: Int) -> Bool {
        entities[ancestor].subtree.contains(slot)
    }
}
