internal import ManagedObjectModels

/// The corresponding properties of a pair of entities, including inherited ones.
struct PropertyCorrespondence: Sendable {
    /// The index in the source entity's properties, by the destination's name.
    private(set) var sourceAttributes: [String: Int] = [:]
    private(set) var sourceRelationships: [String: Int] = [:]

    /// The index in the destination entity's properties, by the source's name.
    private(set) var destinationAttributes: [String: Int] = [:]
    private(set) var destinationRelationships: [String: Int] = [:]

    /// Pairs properties. A stored property is never paired with one that is not stored, which has no value to provide.
    /// Derived attributes are paired with derived ones only.
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

    /// Uses explicit pairs, by the destination's names.
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
