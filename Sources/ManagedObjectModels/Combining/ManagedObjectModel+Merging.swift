extension ManagedObjectModel {
    /// One model that has the entities of several, as an app makes it of all models in its bundles.
    ///
    /// Entities, fetch requests and composites that are the same in two models count once; a configuration of several
    /// models has the entities that it has in any.
    /// - Throws: `ModelError` for entities, fetch requests and composites that have a name in common and nothing else.
    public static func merging(_ models: [ManagedObjectModel]) throws(ModelError) -> ManagedObjectModel {
        var merged = ManagedObjectModel()
        var entities: [String: EntityDescription] = [:]
        var requests: [String: FetchRequestTemplate] = [:]
        var composites: [String: CompositeDescription] = [:]
        var result: [EntityDescription] = []
        for model in models {
            // Two forms of one entity are the same entity: what only sources say does not count.
            let form = model.compiledForm
            for entity in model.entities {
                let plain = form.entity(named: entity.name)
                if let known = entities[entity.name] {
                    guard known == plain else { throw ModelError(.mergeConflict, entity: entity.name) }
                    continue
                }
                entities[entity.name] = plain
                result.append(entity)
            }
            for composite in model.composites {
                if let known = composites[composite.name] {
                    guard known == composite else {
                        throw ModelError(.mergeConflictOf("composite type", composite.name))
                    }
                    continue
                }
                composites[composite.name] = composite
                merged.composites.append(composite)
            }
            for (request, plain) in zip(model.fetchRequestTemplates, model.fetchRequestTemplates.map(\.compiledForm)) {
                if let known = requests[request.name] {
                    guard known == plain else { throw ModelError(.mergeConflictOf("fetch request", request.name)) }
                    continue
                }
                requests[request.name] = plain
                merged.fetchRequestTemplates.append(request)
            }
            merged.add(model.configurations)
            merged.versionIdentifiers += model.versionIdentifiers.filter { !merged.versionIdentifiers.contains($0) }
        }
        merged.entities = result
        return merged
    }

    private mutating func add(_ others: [ConfigurationDescription]) {
        for other in others {
            guard let place = configurations.firstIndex(where: { $0.name == other.name }) else {
                configurations.append(other)
                continue
            }
            let known = configurations[place].entityNames
            configurations[place].entityNames += other.entityNames.filter { !known.contains($0) }
            if other.isUsedWithCloudKit { configurations[place].isUsedWithCloudKit = true }
        }
    }
}
