/// The mapping model that follows from two model versions alone, and what stands against it.
///
/// Supported: properties and entities that come, go, or are renamed; required and optional, given a default; to-one to
/// to-many; ordered or not; a new parent or child; properties and entities that move within or between hierarchies.
public struct InferredMapping: Sendable {
    /// Which entities and properties are one and the same.
    public let correspondence: ModelCorrespondence

    /// One entity mapping per entity: the destination's in slot order, then the removed ones of the source.
    ///
    /// Built in any case; where there are refusals it is what would be left to a custom mapping model.
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

    /// Why there is no mapping; empty if there is one.
    public var refusals: [InferenceFailure] { failures.filter { !$0.isDataDependent } }

    /// What will break the migration if the store has objects of that kind.
    public var dataDependentFailures: [InferenceFailure] { failures.filter(\.isDataDependent) }

    /// Whether there is a mapping, which some data may still break.
    public var isInferable: Bool { refusals.isEmpty }
}
