public import ManagedObjectModels

/// The corresponding entities and properties of two model versions, by renaming identifier and name.
///
/// Pairs are found in four passes, the most certain first: same name and same identifier; same identifier; the
/// destination's identifier is the source's name; same name. The identifier is the renaming identifier, otherwise the
/// name. Entities are paired in slot order; for each pair of entities, the declared and inherited properties are paired
/// separately: attributes with attributes, relationships with relationships, stored ones with stored ones, derived ones
/// with derived ones, and the rest with the rest.
public struct ModelCorrespondence: Sendable {
    /// The version of existing stores.
    public let source: ResolvedModel
    /// The version to which they are migrated.
    public let destination: ResolvedModel

    /// The slot of the source entity whose objects are taken over, by destination slot; nil for a new entity.
    public let sourceSlot: [Int?]

    /// The slot of the destination entity, by source slot; nil for a removed entity.
    public let destinationSlot: [Int?]

    /// The corresponding properties, by destination slot.
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
    ///   - sourceSlot: the source slots by destination slot; no source entity occurs twice.
    ///   - properties: the corresponding properties by destination slot.
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

    /// Returns the source entity of a destination entity, given by its slot; nil for a new entity.
    public func sourceEntity(of destinationSlot: Int) -> ResolvedEntity? {
        sourceSlot[destinationSlot].map { source.entities[$0] }
    }

    /// Returns the destination entity of a source entity, given by its slot; nil for a removed entity.
    public func destinationEntity(of sourceSlot: Int) -> ResolvedEntity? {
        destinationSlot[sourceSlot].map { destination.entities[$0] }
    }

    /// Returns the source attribute from which a destination attribute gets its values; nil for a new one.
    public func sourceAttribute(for attributeName: String, in destinationSlot: Int) -> ResolvedAttribute? {
        guard let index = properties[destinationSlot]?.sourceAttributes[attributeName] else { return nil }
        return sourceEntity(of: destinationSlot)?.attributes[index]
    }

    /// Returns the source relationship from which a destination relationship gets its links; nil for a new one.
    public func sourceRelationship(for relationshipName: String, in destinationSlot: Int) -> ResolvedRelationship? {
        guard let index = properties[destinationSlot]?.sourceRelationships[relationshipName] else { return nil }
        return sourceEntity(of: destinationSlot)?.relationships[index]
    }

    /// Returns the destination attribute that gets a source attribute's values; nil for a removed one.
    public func destinationAttribute(for attributeName: String, in sourceSlot: Int) -> ResolvedAttribute? {
        guard let slot = destinationSlot[sourceSlot],
            let index = properties[slot]?.destinationAttributes[attributeName]
        else { return nil }
        return destination.entities[slot].attributes[index]
    }

    /// Returns the destination relationship that gets a source relationship's links; nil for a removed one.
    public func destinationRelationship(for relationshipName: String, in sourceSlot: Int) -> ResolvedRelationship? {
        guard let slot = destinationSlot[sourceSlot],
            let index = properties[slot]?.destinationRelationships[relationshipName]
        else { return nil }
        return destination.entities[slot].relationships[index]
    }
}
