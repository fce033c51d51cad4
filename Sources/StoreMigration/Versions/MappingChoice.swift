public import MappingModels

/// Chooses from several mapping models the one that leads from one version to another.
public enum MappingChoice {
    /// Returns the mapping models whose hashes and paths do not contradict the two versions, as passes that are
    /// completed for them; nil if there are none.
    /// - Throws: `DocumentErrors` if two of them map the same objects.
    public static func mapping(
        among documents: [MappingModelDocument], from source: VersionedModel, to destination: VersionedModel,
        in catalog: VersionCatalog
    ) throws -> MappingModel? {
        // A single mapping model is used whatever paths it contains; its hashes are checked later.
        let fitting =
            documents.count == 1
            ? documents
            : documents.filter { document in
                let from = try? catalog.sourceVersions(of: document.model)
                let to = try? catalog.destinationVersions(of: document.model)
                return from?.contains { $0.hashes == source.hashes } ?? true
                    && to?.contains { $0.hashes == destination.hashes } ?? true
            }
        guard let joined = try MappingModelDocument.passes(fitting) else { return nil }
        return MappingCompletion(
            source: source.model, destination: destination.model, sourceHashes: source.hashes,
            destinationHashes: destination.hashes
        ).completed(joined.model)
    }
}
