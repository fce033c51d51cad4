import ImportMappings
import ManagedObjectModels
import PersistentStores

/// The objects of a mapping by what is asked of them for every source, so that many sources take no longer each.
struct MappedObjects {
    private var objects: [String: [ObjectMapping]] = [:]
    /// The first source that makes objects of an entity where there are none yet.
    private var firstMakers: [String: Int] = [:]
    private var relationships: Set<PropertyKey> = []

    init(of mapping: ImportMapping, in model: ResolvedModel) {
        for (index, source) in mapping.sources.enumerated() {
            for object in source.objects {
                objects[object.entity, default: []].append(object)
                if object.onMissing == .create, firstMakers[object.entity] == nil { firstMakers[object.entity] = index }
                guard let entity = model.entity(named: object.entity) else { continue }
                relationships.formUnion(
                    object.relationships.compactMap { entity.relationship(named: $0.relationship)?.key })
            }
        }
    }

    /// The objects of an entity, in the order of the mapping.
    func objects(of entity: String) -> [ObjectMapping] { objects[entity] ?? [] }

    /// Whether a source in front of another one makes objects of an entity where there are none yet.
    func areMade(of entity: String, before source: Int) -> Bool { firstMakers[entity].map { $0 < source } ?? false }

    /// Whether the mapping of some object of the entity, or of one that inherits from it, has the relationship.
    func isMapped(_ relationship: PropertyKey) -> Bool { relationships.contains(relationship) }
}
