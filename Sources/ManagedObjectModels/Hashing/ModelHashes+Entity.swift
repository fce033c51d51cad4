extension ModelHashes {
    /// The hash of one entity, without those of others that it does not inherit from; nil if there is no such entity.
    public static func hash(of name: String, in model: ManagedObjectModel) -> VersionHash? {
        (try? ResolvedModel(part(of: model, with: name))).flatMap { hashes(of: $0)[name] }
    }

    /// The entity with its parents; the destinations of relationships count by name only.
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
