extension ModelHashes {
    /// Returns the hash of one entity, without computing those of unrelated entities; nil if there is no such entity.
    public static func hash(of name: String, in model: ManagedObjectModel) -> VersionHash? {
        (try? ResolvedModel(part(of: model, with: name))).flatMap { hashes(of: $0)[name] }
    }

    /// Returns a model with the entity and its superentities; of the destinations of relationships only the names
    /// matter.
    static func part(of model: ManagedObjectModel, with name: String) -> ManagedObjectModel {
        var kept: [EntityDescription] = []
        var next: String? = name
        while let current = next, let entity = model.entity(named: current), kept.count < model.entities.count {
            kept.append(entity)
            next = entity.superentityName
        }
        let names = Set(kept.map(\.name))
        let composites = Set(kept.flatMap(\.attributes).compactMap(\.compositeName))
        let others = model.entities.filter { !names.contains($0.name) }.map { EntityDescription(name: $0.name) }
        return ManagedObjectModel(
            entities: kept + others, composites: model.composites.filter { composites.contains($0.name) })
    }
}
