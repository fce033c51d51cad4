import ImportMappings
import ManagedObjectModels
import PersistentStores

/// The objects of a mapping, indexed by the properties that are queried for every source, so that the time does not
/// grow with the square of the number of sources.
struct MappedObjects {
    private var objects: [String: [ObjectMapping]] = [:]
    /// For each entity, the first source that creates objects which do not exist.
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

    /// Returns the objects of an entity, in the order of the mapping.
    func objects(of entity: String) -> [ObjectMapping] { objects[entity] ?? [] }

    /// Returns whether an earlier source creates objects of an entity which do not exist.
    func areMade(of entity: String, before source: Int) -> Bool { firstMakers[entity].map { $0 < source } ?? false }

    /// Returns whether the mapping of some object of the entity, or of one that inherits from it, has the relationship.
    func isMapped(_ relationship: PropertyKey) -> Bool { relationships.contains(relationship) }
}
