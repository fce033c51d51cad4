import CommandLineParsing
import MappingModels
import StoreMigration

/// Two versions of a model, as the options `--models`, `--from` and `--to` name them.
struct ModelPair {
    let source: VersionedModel
    let destination: VersionedModel
    let correspondence: ModelCorrespondence

    /// Reads both, and says on standard error what was wrong with their files.
    ///
    /// Throws `UsageError` where an option is missing, and `ModelError` where a model is.
    init(models: [String], from: String?, to: String?) throws {
        guard let from else { throw UsageError.missing("--from VERSION") }
        let catalog = try VersionCatalog(paths: models)
        source = try catalog.versionedModel(try catalog.version(named: from))
        destination = try catalog.destinationVersion(named: to, for: source)
        correspondence = ModelCorrespondence(source: source.model, destination: destination.model)
        catalog.warnings.forEach { Console.note("warning: \($0)\n") }
    }

    /// `Model 1 -> Model 2`
    var title: String { "\(source.name) -> \(destination.name)" }

    var difference: ModelDifference {
        ModelDifference(correspondence, sourceHashes: source.hashes, destinationHashes: destination.hashes)
    }

    var inferredMapping: InferredMapping {
        InferredMapping(correspondence, sourceHashes: source.hashes, destinationHashes: destination.hashes)
    }

    /// A result as JSON, with the names of the versions beside its own keys.
    func json(_ content: some Encodable) throws -> String {
        try JSONText.text(Document(source: source.name, destination: destination.name, content: content))
    }

    private struct Document<Content: Encodable>: Encodable {
        let source: String
        let destination: String
        let content: Content

        private enum Key: String, CodingKey {
            case source, destination
        }

        func encode(to encoder: any Encoder) throws {
            try content.encode(to: encoder)
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(source, forKey: .source)
            try container.encode(destination, forKey: .destination)
        }
    }
}
