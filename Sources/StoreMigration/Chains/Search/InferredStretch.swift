import ManagedObjectModels
import MappingModels

/// Consecutive inferred steps from one version to another, without mapping models.
struct InferredStretch {
    let source: VersionedModel
    let destination: VersionedModel

    /// Returns the versions between the two, in order.
    let between: () -> [VersionedModel]

    /// Returns the versions at which the steps end; nil if inference cannot reach the destination.
    ///
    /// Consecutive steps are combined if a single step has the same result.
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
                // A version that cannot be reached is skipped.
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

    /// The correspondence of the two versions in a single step; nil if it cannot be inferred.
    var direct: ModelCorrespondence? { Self.inferable(source, destination) }

    /// Returns the correspondence of the entities and properties of two versions; nil if it cannot be inferred.
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
