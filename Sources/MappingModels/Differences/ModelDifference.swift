internal import ManagedObjectModels

/// The changes between two versions of a model, by entity and property, and their effects on a store's data.
public struct ModelDifference: Sendable, Hashable, Codable {
    /// The entities that differ, by name.
    public let entities: [EntityDifference]

    /// The changes of the model itself: configurations, fetch request templates, composite types, identifiers.
    public let changes: [FacetChange]

    /// Compares two versions.
    ///
    /// Hashes are by entity name. If both hashes of an entity are given, they determine whether its hash changed;
    /// otherwise the changes do.
    public init(
        _ correspondence: ModelCorrespondence, sourceHashes: [String: [UInt8]] = [:],
        destinationHashes: [String: [UInt8]] = [:]
    ) {
        entities = EntityComparison(
            correspondence: correspondence, sourceHashes: sourceHashes, destinationHashes: destinationHashes
        ).differences()
        changes = FacetTable(correspondence.source.model)
            .changes(to: FacetTable(correspondence.destination.model))
            .map { FacetChange($0.facet, detail: $0.detail, old: $0.old, new: $0.new) }
    }

    /// Whether the versions are equal in everything that is compared.
    public var isEmpty: Bool { entities.isEmpty && changes.isEmpty }

    /// The greatest risk of all changes.
    public var risk: ChangeRisk { entities.map(\.risk).reduce(.none, max) }

    /// Whether a store of the source version must be migrated before the destination version can open it.
    public var changesVersionHashes: Bool { entities.contains(where: \.changesVersionHash) }
}
