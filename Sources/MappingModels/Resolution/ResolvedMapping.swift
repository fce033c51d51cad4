public import ManagedObjectModels

/// A mapping model, read or inferred, with its names resolved: which entities and properties continue which others.
public struct ResolvedMapping: Sendable {
    /// Which entities and properties are one and the same.
    public let correspondence: ModelCorrespondence

    /// The mapping model whose names are resolved.
    public let mappingModel: MappingModel

    /// What stands against it, unconditional failures first.
    public let failures: [InferenceFailure]

    /// Whether it follows from the models alone.
    public let isInferred: Bool

    /// Takes over a mapping that was inferred, with its failures.
    public init(_ inferred: InferredMapping) {
        correspondence = inferred.correspondence
        mappingModel = inferred.mappingModel
        failures = inferred.failures
        isInferred = true
    }

    /// A completed mapping model that says no more than inference could have found; nil for any other, which
    /// recreates the objects.
    public init?(_ mapping: MappingModel, source: ResolvedModel, destination: ResolvedModel) {
        guard let correspondence = ModelCorrespondence(mapping, source: source, destination: destination) else {
            return nil
        }
        self.correspondence = correspondence
        mappingModel = mapping
        // A written mapping model may move external data into the store.
        failures = InferenceReview(correspondence: correspondence).failures().filter {
            $0.isRefusal || $0.isDataDependent
        }
        isInferred = false
        guard refusals.isEmpty else { return nil }
    }

    /// Why there is no migration; empty if there is one.
    public var refusals: [InferenceFailure] { failures.filter { !$0.isDataDependent } }

    /// What will break the migration if the store has objects of that kind.
    public var dataDependentFailures: [InferenceFailure] { failures.filter(\.isDataDependent) }
}
