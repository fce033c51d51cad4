extension ManagedObjectModel {
    /// Returns a model with the entities of several, as an app makes it from all models in its bundles.
    ///
    /// Entities, fetch requests and composites that are the same in two models are included once; a configuration that
    /// occurs in several models has the entities of all of them.
    /// - Throws: `ModelError` for entities, fetch requests and composites that have the same name but different
    ///   contents.
    public static func merging(_ models: [ManagedObjectModel]) throws(ModelError) -> ManagedObjectModel {
        var merged = ManagedObjectModel()
        var entities: [String: EntityDescription] = [:]
        var requests: [String: FetchRequestTemplate] = [:]
        var composites: [String: CompositeDescription] = [:]
        var result: [EntityDescription] = []
        for model in models {
            // Two forms of one entity are the same entity: attributes that occur only in sources are ignored.
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
