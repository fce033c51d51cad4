public import ManagedObjectModels

/// A mapping model, read or inferred, with its names resolved to corresponding entities and properties.
public struct ResolvedMapping: Sendable {
    /// The correspondence of entities and properties.
    public let correspondence: ModelCorrespondence

    /// The mapping model whose names are resolved.
    public let mappingModel: MappingModel

    /// The failures of the mapping, unconditional ones first.
    public let failures: [InferenceFailure]

    /// Whether it is inferred from the models.
    public let isInferred: Bool

    /// Makes a resolved mapping from an inferred one, with its failures.
    public init(_ inferred: InferredMapping) {
        correspondence = inferred.correspondence
        mappingModel = inferred.mappingModel
        failures = inferred.failures
        isInferred = true
    }

    /// Resolves a completed mapping model that inference could also have found; nil for any other, which requires
    /// recreating the objects.
    public init?(_ mapping: MappingModel, source: ResolvedModel, destination: ResolvedModel) {
        guard let correspondence = ModelCorrespondence(mapping, source: source, destination: destination) else {
            return nil
        }
        self.correspondence = correspondence
        mappingModel = mapping
        // An explicit mapping model may move external data into the store.
        failures = InferenceReview(correspondence: correspondence).failures().filter {
            $0.isRefusal || $0.isDataDependent
        }
        isInferred = false
        guard refusals.isEmpty else { return nil }
    }

    /// The failures because of which there is no migration; empty if there is one.
    public var refusals: [InferenceFailure] { failures.filter { !$0.isDataDependent } }

    /// The failures that occur only if the store has objects of a certain kind.
    public var dataDependentFailures: [InferenceFailure] { failures.filter(\.isDataDependent) }
}
