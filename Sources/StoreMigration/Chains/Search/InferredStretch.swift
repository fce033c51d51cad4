import ManagedObjectModels
import MappingModels

/// The inferred steps from one version to another between which no mapping model is used.
struct InferredStretch {
    let source: VersionedModel
    let destination: VersionedModel

    /// Gives the versions between the two, in order.
    let between: () -> [VersionedModel]

    /// The versions at which the steps end; nil where nothing can be inferred that leads to the destination.
    ///
    /// - Parameter isWhole: whether the stretch is the whole way: then one step will do wherever it loses nothing, as
    ///   Core Data's own lightweight migration goes.
    func stops(isWhole: Bool) -> [VersionedModel]? {
        let direct = Self.inferable(source, destination)
        if let direct, isWhole, !Self.drops(direct) { return [destination] }
        let between = between()
        if direct != nil, between.isEmpty { return [destination] }
        guard !between.isEmpty else { return nil }
        var stops: [VersionedModel] = []
        var start = source
        var last: (version: VersionedModel, way: ModelCorrespondence)?
        for next in between + [destination] {
            let way = Self.inferable(start, next)
            guard let reached = last else {
                // A version to which nothing leads is passed over.
                if let way { last = (next, way) }
                continue
            }
            guard let onward = Self.inferable(reached.version, next) else {
                if let way { last = (next, way) }
                continue
            }
            // Core Data's own way gives the last version's defaults; between mapping models each version counts.
            let allowed: FoldingProof.Outcome = isWhole ? .differs : .same
            if let way, FoldingProof(reached.way, onward, direct: way).outcome <= allowed {
                last = (next, way)
            } else {
                stops.append(reached.version)
                start = reached.version
                last = (next, onward)
            }
        }
        guard let last, last.version.digest == destination.digest else { return nil }
        return stops + [destination]
    }

    /// How the entities and properties of two versions go together; nil where that cannot be inferred.
    private static func inferable(_ source: VersionedModel, _ destination: VersionedModel) -> ModelCorrespondence? {
        let correspondence = ModelCorrespondence(source: source.model, destination: destination.model)
        let inferred = InferredMapping(
            correspondence, sourceHashes: source.hashes, destinationHashes: destination.hashes)
        guard inferred.isInferable, correspondence.destinationSlot.contains(where: { $0 != nil }) else { return nil }
        return correspondence
    }

    /// Whether anything that the source stores has no place in the destination.
    private static func drops(_ correspondence: ModelCorrespondence) -> Bool {
        correspondence.source.entities.contains { entity in
            guard correspondence.destinationSlot[entity.slot] != nil else { return true }
            return entity.attributes.contains {
                $0.isStored && correspondence.destinationAttribute(for: $0.name, in: entity.slot) == nil
            }
                || entity.relationships.contains {
                    $0.isStored && correspondence.destinationRelationship(for: $0.name, in: entity.slot) == nil
                }
        }
    }
}
