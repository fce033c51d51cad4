public import DocumentReading

/// A staged migration that was read from YAML, with the places of its parts.
public struct StagedMigrationDocument: Sendable {
    /// The migration that the file describes.
    public let migration: StagedMigration
    private let document: YAMLDocument
    private let locations: [Int: SourceLocation]
    private let parts: [Int: [StagedMigrationError.Part: SourceLocation]]

    init(_ parser: StagedMigrationParser, stages: [MigrationStage]) {
        migration = StagedMigration(stages)
        document = parser.document
        locations = parser.locations
        parts = parser.parts
    }

    /// Reads the file, and the mapping models that it names by paths relative to its folder.
    /// - Throws: `DocumentErrors` with all errors of the file and their places.
    public static func read(path: String) throws(DocumentErrors) -> StagedMigrationDocument {
        let document: YAMLDocument
        do throws(DocumentError) {
            document = try YAMLDocument(
                path: path,
                limits: YAMLReadingLimits(maximumSize: maximumSize, maximumDepth: 32, maximumNodeCount: 100_000))
        } catch {
            throw DocumentErrors([error])
        }
        var parser = StagedMigrationParser(document, path: path)
        let stages = parser.stages()
        guard parser.problems.isEmpty, let stages else { throw DocumentErrors(parser.problems) }
        return StagedMigrationDocument(parser, stages: stages)
    }

    /// A file of a thousand stages has about 100 kB.
    private static let maximumSize = 4 << 20

    /// Returns the steps between two versions.
    /// - Throws: `DocumentErrors`, with the place in the file, if the stages do not lead there.
    public func chain(
        from source: VersionedModel, to destination: VersionedModel, in catalog: VersionCatalog
    ) throws -> MigrationChain {
        do {
            return try migration.chain(from: source, to: destination, in: catalog)
        } catch let error as StagedMigrationError {
            let stage = error.stage.flatMap { locations[$0] } ?? document.root.location
            let place = error.stage.flatMap { parts[$0] }.flatMap { places in error.part.flatMap { places[$0] } }
            throw DocumentErrors([document.error(error.sentence, at: place ?? stage)])
        }
    }
}
