internal import ManagedObjectModels

/// Which properties of a pair of entities are one and the same, inherited ones included.
struct PropertyCorrespondence: Sendable {
    /// By the destination's name: the index in the source entity's properties.
    private(set) var sourceAttributes: [String: Int] = [:]
    private(set) var sourceRelationships: [String: Int] = [:]

    /// By the source's name: the index in the destination entity's properties.
    private(set) var destinationAttributes: [String: Int] = [:]
    private(set) var destinationRelationships: [String: Int] = [:]

    /// A property with values in the store never pairs with one without: that one has no value to give. A derived
    /// attribute is another kind of property, and pairs with derived ones only.
    init(source: ResolvedEntity, destination: ResolvedEntity) {
        func kind(_ attribute: ResolvedAttribute) -> Int { attribute.isDerived ? 2 : attribute.isStored ? 1 : 0 }
        for each in 0...2 {
            let old = source.attributes.indices.filter { kind(source.attributes[$0]) == each }
            let new = destination.attributes.indices.filter { kind(destination.attributes[$0]) == each }
            let pairing = NamePairing(
                new.map { Self.candidate(destination.attributes[$0]) },
                with: old.map { Self.candidate(source.attributes[$0]) })
            for (index, hit) in zip(new, pairing.sources) {
                guard let hit else { continue }
                sourceAttributes[destination.attributes[index].name] = old[hit]
                destinationAttributes[source.attributes[old[hit]].name] = index
            }
        }
        for stored in [true, false] {
            let old = source.relationships.indices.filter { source.relationships[$0].isStored == stored }
            let new = destination.relationships.indices.filter { destination.relationships[$0].isStored == stored }
            let pairing = NamePairing(
                new.map { Self.candidate(destination.relationships[$0]) },
                with: old.map { Self.candidate(source.relationships[$0]) })
            for (index, hit) in zip(new, pairing.sources) {
                guard let hit else { continue }
                sourceRelationships[destination.relationships[index].name] = old[hit]
                destinationRelationships[source.relationships[old[hit]].name] = index
            }
        }
    }

    /// Pairs what somebody has paired, by the destination's names.
    init(
        source: ResolvedEntity, destination: ResolvedEntity, attributes: [String: String],
        relationships: [String: String]
    ) {
        for (index, attribute) in destination.attributes.enumerated() {
            guard let name = attributes[attribute.name],
                let old = source.attributes.firstIndex(where: { $0.name == name })
            else { continue }
            sourceAttributes[attribute.name] = old
            destinationAttributes[name] = index
        }
        for (index, relationship) in destination.relationships.enumerated() {
            guard let name = relationships[relationship.name],
                let old = source.relationships.firstIndex(where: { $0.name == name })
            else { continue }
            sourceRelationships[relationship.name] = old
            destinationRelationships[name] = index
        }
    }

    private static func candidate(_ attribute: ResolvedAttribute) -> NamePairing.Candidate {
        NamePairing.Candidate(name: attribute.name, renamingIdentifier: attribute.description.renamingIdentifier)
    }

    private static func candidate(_ relationship: ResolvedRelationship) -> NamePairing.Candidate {
        NamePairing.Candidate(name: relationship.name, renamingIdentifier: relationship.description.renamingIdentifier)
    }
}
