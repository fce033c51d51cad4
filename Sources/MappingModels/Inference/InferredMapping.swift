/// The mapping model that is inferred from two model versions, and its failures.
///
/// Supported changes: properties and entities that are added, removed, or renamed; optional to required, with a default
/// value, and back; to-one to to-many; ordered or not; new superentities or subentities; properties and entities that
/// move within or between hierarchies.
public struct InferredMapping: Sendable {
    /// The correspondence of entities and properties.
    public let correspondence: ModelCorrespondence

    /// The mapping model, with one entity mapping per entity: those of the destination in slot order, then the removed
    /// ones of the source.
    ///
    /// It exists in any case; if there are refusals, it is the basis for a custom mapping model.
    public let mappingModel: MappingModel

    /// All failures, unconditional ones first, then in slot order.
    public let failures: [InferenceFailure]

    /// Infers the mapping.
    ///
    /// Hashes are by entity name, 32 bytes each. Entities with equal hashes are copied; one whose hash is not given is
    /// always transformed.
    public init(
        _ correspondence: ModelCorrespondence, sourceHashes: [String: [UInt8]] = [:],
        destinationHashes: [String: [UInt8]] = [:]
    ) {
        self.correspondence = correspondence
        mappingModel = InferredMappingBuilder(
            correspondence: correspondence, sourceHashes: sourceHashes, destinationHashes: destinationHashes
        ).mappingModel()
        let found = InferenceReview(correspondence: correspondence).failures()
        failures = found.filter { !$0.isDataDependent } + found.filter { $0.isDataDependent }
    }

    /// The failures because of which there is no mapping; empty if there is one.
    public var refusals: [InferenceFailure] { failures.filter { !$0.isDataDependent } }

    /// The failures that occur only if the store has objects of a certain kind.
    public var dataDependentFailures: [InferenceFailure] { failures.filter(\.isDataDependent) }

    /// Whether there is a mapping, which may still fail for some data.
    public var isInferable: Bool { refusals.isEmpty }
}
