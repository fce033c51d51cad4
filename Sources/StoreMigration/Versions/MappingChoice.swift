public import MappingModels

/// Which of several mapping models leads from one version to another.
public enum MappingChoice {
    /// The only one whose hashes and paths do not speak against the two versions, completed for them; nil for none.
    ///
    /// Throws `MappingChoiceError` where several could be meant.
    public static func mapping(
        among documents: [MappingModelDocument], from source: VersionedModel, to destination: VersionedModel,
        in catalog: VersionCatalog
    ) throws -> MappingModel? {
        // One that is named alone is meant, whatever paths it was made with; its hashes are checked later.
        let fitting = documents.count == 1 ? documents : documents.filter { document in
            let from = try? catalog.sourceVersion(of: document.model, named: nil)
            let to = try? catalog.destinationVersion(of: document.model, named: nil)
            return (from.map { $0.hashes == source.hashes } ?? true)
                && (to.map { $0.hashes == destination.hashes } ?? true)
        }
        guard fitting.count <= 1 else {
            throw MappingChoiceError(names: fitting.map(\.name), source: source.name, destination: destination.name)
        }
        guard let document = fitting.first else { return nil }
        return MappingCompletion(
            source: source.model, destination: destination.model, sourceHashes: source.hashes,
            destinationHashes: destination.hashes
        ).completed(document.model)
    }
}

/// Several mapping models lead from one version to the other.
public struct MappingChoiceError: Error, Equatable, Sendable, CustomStringConvertible {
    public let names: [String]
    public let source: String
    public let destination: String

    public var description: String {
        "several mapping models lead from \(source) to \(destination): \(names.joined(separator: ", ")); name one of them"
    }
}
