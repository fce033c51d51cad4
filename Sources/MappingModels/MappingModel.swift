/// How the objects of one model version become those of another: one entity mapping per step, in the order of the run.
///
/// A plain value, inferred from two models, or read from a mapping file; it never opens a store. Expressions and
/// predicates are text in the predicate format language.
public struct MappingModel: Sendable, Hashable {
    public var entityMappings: [EntityMapping]

    public init(entityMappings: [EntityMapping] = []) {
        self.entityMappings = entityMappings
    }

    /// The entity mapping of that name. A linear search.
    public func entityMapping(named name: String) -> EntityMapping? {
        entityMappings.first { $0.name == name }
    }
}
