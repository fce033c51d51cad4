public import ManagedObjectModels

extension ModelCorrespondence {
    /// What a completed mapping model comes to if it only says what continues what; nil if it says anything else.
    ///
    /// That is, of every entity which one continues it, and of every property whether it is copied, renamed, new or
    /// dropped.
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

    /// nil if an entity is not mapped just once, or not as inference does.
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
                // What adds objects is a policy.
                guard entityMapping.migrationPolicyClassName == nil else { return nil }
                continue
            }
            guard let from = source.entity(named: name), mentioned.insert(from.slot).inserted else { return nil }
            guard let to = to.flatMap(destination.entity) else { continue }
            guard let pair = EntityMappingPair(entityMapping, source: from, destination: to) else { return nil }
            pairs.append(pair)
        }
        // Objects that are lost without a word are a warning of their own.
        guard source.entities.allSatisfy({ $0.isAbstract || mentioned.contains($0.slot) }) else { return nil }
        return pairs
    }
}
