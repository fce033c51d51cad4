import CommandLineParsing
import ManagedObjectModels
import MappingDrafting
import StoreMigration

/// A request to draft a mapping, whose options have been checked against each other.
struct DraftRequest {
    private let options: ImportCommandOptions

    init(_ options: ImportCommandOptions) throws(UsageError) {
        self.options = options
        if options.models.isEmpty { throw .missing("--models PATH") }
        if options.mapping != nil { throw .conflict("--draft-mapping", with: "--mapping") }
        if options.store != nil { throw .conflict("--draft-mapping", with: "--store") }
        if !options.key.isEmpty { throw .conflict("--draft-mapping", with: "--key") }
    }

    func run() throws -> ExitStatus {
        let catalog = try VersionCatalog(paths: options.models, sources: options.sources.selection)
        let version = try catalog.version(forNewStore: options.version)
        catalog.warnings.forEach { Console.note("warning: \($0)\n") }
        let drafter = try MappingDrafter(model: version.model, entity: options.entity)
        Console.print(document: try drafter.draft(of: options.operands).yaml)
        return .done
    }
}
