import CommandLineParsing
import MappingModels
import StoreMigration

/// Two versions of a model, as specified by the options `--models`, `--from` and `--to`.
struct ModelPair {
    let source: VersionedModel
    let destination: VersionedModel
    let correspondence: ModelCorrespondence

    /// Reads both versions, and prints warnings about their files on standard error.
    ///
    /// Throws `UsageError` if an option is missing, and `ModelError` if a model is missing.
    init(models: [String], sources: SourceArguments, from: String?, to: String?) throws {
        guard let from else { throw UsageError.missing("--from VERSION") }
        let catalog = try VersionCatalog(paths: models, sources: sources.selection)
        source = try catalog.versionedModel(try catalog.version(named: from))
        destination = try catalog.destinationVersion(named: to, for: source)
        correspondence = ModelCorrespondence(source: source.model, destination: destination.model)
        catalog.warnings.forEach { Console.note("warning: \($0)\n") }
    }

    /// Creates a pair of the versions that a mapping model refers to, unless the options specify them.
    init(
        models: [String], sources: SourceArguments, from: String?, to: String?, mapping: MappingModel
    ) throws {
        let catalog = try VersionCatalog(paths: models, sources: sources.selection)
        source = try catalog.sourceVersion(of: mapping, named: from)
        destination = try catalog.destinationVersion(of: mapping, named: to)
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

    /// Adds to a source mapping model the parts that Xcode's compiler fills in.
    var completion: MappingCompletion {
        MappingCompletion(
            source: source.model, destination: destination.model, sourceHashes: source.hashes,
            destinationHashes: destination.hashes)
    }

    /// Returns the problems of a mapping model between the two versions, after its completion.
    func review(_ mapping: MappingModel) -> [MappingModelProblem] {
        MappingModelReview(
            completion.completed(mapping), source: source.model, destination: destination.model,
            sourceHashes: source.hashes, destinationHashes: destination.hashes
        ).problems
    }

    /// Returns a result as JSON, with the names of the versions in addition to its own keys.
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
