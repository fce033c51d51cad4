import ManagedObjectModels
import MappingModels

/// The inferred steps from one version to another between which no mapping model is used.
struct InferredStretch {
    let source: VersionedModel
    let destination: VersionedModel

    /// Gives the versions between the two, in order.
    let between: () -> [VersionedModel]

    /// The versions at which the steps end; nil if nothing can be inferred that leads to the destination.
    ///
    /// Steps that follow each other are one where one step gives the same.
    func stops() -> [VersionedModel]? {
        let between = between()
        if between.isEmpty, direct != nil { return [destination] }
        guard !between.isEmpty else { return nil }
        var stops: [VersionedModel] = []
        var start = source
        var last: (version: VersionedModel, way: ModelCorrespondence)?
        for next in between + [destination] {
            let way = Self.inferable(start, next)
            guard let reached = last else {
                // A version to which nothing leads is skipped.
                if let way { last = (next, way) }
                continue
            }
            guard let onward = Self.inferable(reached.version, next) else {
                if let way { last = (next, way) }
                continue
            }
            if let way, StepEquivalence(reached.way, onward, direct: way).isSame {
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

    /// How the two versions go together in one step; nil if that cannot be inferred.
    var direct: ModelCorrespondence? { Self.inferable(source, destination) }

    /// How the entities and properties of two versions go together; nil if that cannot be inferred.
    static func inferable(_ source: VersionedModel, _ destination: VersionedModel) -> ModelCorrespondence? {
        let correspondence = ModelCorrespondence(source: source.model, destination: destination.model)
        let inferred = InferredMapping(
            correspondence, sourceHashes: source.hashes, destinationHashes: destination.hashes)
        guard !inferred.refusals.contains(where: \.isRefusal),
            correspondence.destinationSlot.contains(where: { $0 != nil })
        else { return nil }
        return correspondence
    }
}
