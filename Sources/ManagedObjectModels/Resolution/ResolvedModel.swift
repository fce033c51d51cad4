/// A model whose names are resolved into slots: entities in Core Data's numbering, properties with the inherited ones.
///
/// Slot i is entity number i + 1 (docs/format/sqlite-store.md#entity-numbers): roots sorted by name without regard to
/// case, each followed depth first by its subentities. The entities of a hierarchy are therefore neighbours.
public struct ResolvedModel: Sendable {
    public let model: ManagedObjectModel

    /// The entities by slot.
    public let entities: [ResolvedEntity]

    private let slots: [String: Int]

    /// Resolves a model.
    ///
    /// Throws `ModelError` for an unknown superentity, a cycle of inheritance, an unknown destination, a clash of
    /// names, or an unknown composite.
    public init(_ model: ManagedObjectModel) throws(ModelError) {
        var resolver = try ModelResolver(model)
        entities = try resolver.resolvedEntities()
        slots = resolver.slots
        self.model = model
    }

    /// The slot of the entity of that name.
    public func slot(named name: String) -> Int? {
        slots[name]
    }

    public func entity(named name: String) -> ResolvedEntity? {
        slots[name].map { entities[$0] }
    }

    /// The slots without a superentity, in order: each stands for one table of a SQLite store.
    public var rootSlots: [Int] {
        entities.indices.filter { entities[$0].superentity == nil }
    }

    /// Whether an entity is another one or inherits from it.
    public func isKind(_ slot: Int, of ancestor: Int) -> Bool {
        entities[ancestor].subtree.contains(slot)
    }
}
