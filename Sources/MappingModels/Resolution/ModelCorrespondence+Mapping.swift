public import ManagedObjectModels

extension ModelCorrespondence {
    /// Makes the correspondence that a completed mapping model expresses, if it contains nothing else; otherwise nil.
    ///
    /// Such a mapping model only determines for each entity its counterpart, and for each property whether it is
    /// copied, renamed, new or dropped.
    public init?(_ mapping: MappingModel, source: ResolvedModel, destination: ResolvedModel) {
        guard let pairs = Self.pairs(mapping, source, destination), !pairs.isEmpty else { return nil }
        var sourceSlot = [Int?](repeating: nil, count: destination.entities.count)
        var properties = [PropertyCorrespondence?](repeating: nil, count: destination.entities.count)
        for pair in pairs {
            sourceSlot[pair.destination.slot] = pair.source.slot
            properties[pair.destination.slot] = PropertyCorrespondence(
                source: pair.source, destination: pair.destination, attributes: pair.attributes,
                relationships: pair.relationships)
        }
        guard RelationshipReview(pairs: pairs, source: source, destination: destination).isInferable else { return nil }
        self.init(source: source, destination: destination, sourceSlot: sourceSlot, properties: properties)
    }

    /// Returns nil if an entity is mapped several times or not at all, or not as inference does.
    private static func pairs(
        _ mapping: MappingModel, _ source: ResolvedModel, _ destination: ResolvedModel
    ) -> [EntityMappingPair]? {
        var pairs: [EntityMappingPair] = []
        var mentioned = Set<Int>()
        var made = Set<Int>()
        for entityMapping in mapping.entityMappings {
            let to = entityMapping.type == .remove ? nil : entityMapping.destinationEntityName
            if let name = to {
                guard let slot = destination.slot(named: name), made.insert(slot).inserted else { return nil }
            }
            guard let name = entityMapping.sourceEntityName else {
                // Only a policy can add objects.
                guard entityMapping.migrationPolicyClassName == nil else { return nil }
                continue
            }
            guard let from = source.entity(named: name), mentioned.insert(from.slot).inserted else { return nil }
            guard let to = to.flatMap(destination.entity) else { continue }
            guard let pair = EntityMappingPair(entityMapping, source: from, destination: to) else { return nil }
            pairs.append(pair)
        }
        // Objects that are dropped implicitly need a warning of their own.
        guard source.entities.allSatisfy({ $0.isAbstract || mentioned.contains($0.slot) }) else { return nil }
        return pairs
    }
}
