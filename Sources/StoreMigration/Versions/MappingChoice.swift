public import MappingModels

/// Which of several mapping models leads from one version to another.
public enum MappingChoice {
    /// Those whose hashes and paths do not speak against the two versions, as passes, completed for them; nil for none.
    /// - Throws: `DocumentErrors` where two of them say what becomes of the same objects.
    public static func mapping(
        among documents: [MappingModelDocument], from source: VersionedModel, to destination: VersionedModel,
        in catalog: VersionCatalog
    ) throws -> MappingModel? {
        // One that is named alone is meant, whatever paths it was made with; its hashes are checked later.
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
