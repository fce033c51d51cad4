public import ManagedObjectModels

/// Which entities and properties of two model versions are one and the same, by renaming identifier and name.
///
/// Pairs are found in four passes, the surest first: same name and same identifier; same identifier; the destination's
/// identifier is the source's name; same name. The identifier is the renaming identifier, else the name. Entities pair
/// in slot order; the properties of each pair of entities pair apart, inherited ones included, attributes with
/// attributes, relationships with relationships, stored ones with stored ones, derived ones with derived ones, and the
/// rest with the rest.
public struct ModelCorrespondence: Sendable {
    /// The version that stores have.
    public let source: ResolvedModel
    /// The version that they are migrated to.
    public let destination: ResolvedModel

    /// By destination slot: the slot of the source entity whose objects it takes over; nil for a new entity.
    public let sourceSlot: [Int?]

    /// By source slot: the slot of the destination entity; nil for one that is removed.
    public let destinationSlot: [Int?]

    /// By destination slot.
    private let properties: [PropertyCorrespondence?]

    /// Pairs the entities and properties of two versions.
    public init(source: ResolvedModel, destination: ResolvedModel) {
        self.source = source
        self.destination = destination
        let pairing = NamePairing(
            destination.entities.map(Self.candidate), with: source.entities.map(Self.candidate))
        sourceSlot = pairing.sources
        destinationSlot = pairing.destinations
        properties = destination.entities.map { entity in
            pairing.sources[entity.slot].map {
                PropertyCorrespondence(source: source.entities[$0], destination: entity)
            }
        }
    }

    /// - Parameters:
    ///   - sourceSlot: by destination slot; no source entity occurs twice.
    ///   - properties: by destination slot.
    init(
        source: ResolvedModel, destination: ResolvedModel, sourceSlot: [Int?], properties: [PropertyCorrespondence?]
    ) {
        self.source = source
        self.destination = destination
        self.sourceSlot = sourceSlot
        self.properties = properties
        var destinationSlot = [Int?](repeating: nil, count: source.entities.count)
        for (slot, old) in sourceSlot.enumerated() {
            if let old { destinationSlot[old] = slot }
        }
        self.destinationSlot = destinationSlot
    }

    private static func candidate(_ entity: ResolvedEntity) -> NamePairing.Candidate {
        NamePairing.Candidate(name: entity.name, renamingIdentifier: entity.description.renamingIdentifier)
    }

    /// The source entity of a destination entity, given by its slot; nil for a new entity.
    public func sourceEntity(of destinationSlot: Int) -> ResolvedEntity? {
        sourceSlot[destinationSlot].map { source.entities[$0] }
    }

    /// The destination entity of a source entity, given by its slot; nil for an entity that is gone.
    public func destinationEntity(of sourceSlot: Int) -> ResolvedEntity? {
        destinationSlot[sourceSlot].map { destination.entities[$0] }
    }

    /// The attribute that gives a destination attribute its values; nil for a new one.
    public func sourceAttribute(for attributeName: String, in destinationSlot: Int) -> ResolvedAttribute? {
        guard let index = properties[destinationSlot]?.sourceAttributes[attributeName] else { return nil }
        return sourceEntity(of: destinationSlot)?.attributes[index]
    }

    /// The relationship that gives a destination relationship its links; nil for a new one.
    public func sourceRelationship(for relationshipName: String, in destinationSlot: Int) -> ResolvedRelationship? {
        guard let index = properties[destinationSlot]?.sourceRelationships[relationshipName] else { return nil }
        return sourceEntity(of: destinationSlot)?.relationships[index]
    }

    /// The attribute that takes over a source attribute's values; nil for a removed one.
    public func destinationAttribute(for attributeName: String, in sourceSlot: Int) -> ResolvedAttribute? {
        guard let slot = destinationSlot[sourceSlot],
            let index = properties[slot]?.destinationAttributes[attributeName]
        else { return nil }
        return destination.entities[slot].attributes[index]
    }

    /// The relationship that takes over a source relationship's links; nil for a removed one.
    public func destinationRelationship(for relationshipName: String, in sourceSlot: Int) -> ResolvedRelationship? {
        guard let slot = destinationSlot[sourceSlot],
            let index = properties[slot]?.destinationRelationships[relationshipName]
        else { return nil }
        return destination.entities[slot].relationships[index]
    }
}
