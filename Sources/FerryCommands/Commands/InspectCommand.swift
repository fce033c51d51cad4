import CommandLineParsing
import PersistentStores
import StoreConversion
import StoreMigration

struct InspectOptions: SourceOptions {
    var models: [String] = []
    var isMerging = false
    var language: String?
    var timeout = LockWaiting.standard
    var progress = ProgressMode.auto
    var isJSON = false
    var sources = SourceArguments()
    var operands: [String] = []

    static let flags = withSourceFlags([
        .values(
            "models", short: "m", \.models, placeholder: "PATH",
            "Models to find the store's version among."),
        .switch("merge", \.isMerging, "Merge the current versions of the models into one."),
        .optionalValue(
            "language", \.language, placeholder: "LANGUAGE",
            "Show the model's names in this language too; by default in the development language."),
        .timeout(\.timeout),
        .progress(\.progress),
        .switch("json", \.isJSON, "Print JSON."),
    ])
}

extension Command {
    static let inspect = Command(
        "inspect", "Show what a store or a model holds",
        discussion:
            "Of a store: type, UUID, size, version hashes, entities and rows; the attributes and relationships of "
            + "the entities if a model is known; and with --models the version that made it. Without --models, the "
            + "model is the one that the store carries, as stores of newer systems do. Of a model: versions, "
            + "entities and hashes. Nothing is written, not even next to the store.",
        operands: .one("PATH"), options: InspectOptions.self
    ) { options in
        let path = options.operands[0]
        return try LockWaiting.wait(options.timeout) {
            try ProgressWatch.during("reading", options.progress) { _ in
                isModel(path) ? try inspectModel(path, options) : try inspectStore(path, options)
            }
        }
    }

    /// Returns whether a path is a model. Folders are; files are if their content identifies them.
    private static func isModel(_ path: String) -> Bool {
        FileSystem.isDirectory(path) || FileSystem.name(of: path) == "contents" || path.hasSuffix(".mom")
            || path.hasSuffix(".swift")
    }

    private static func inspectModel(_ path: String, _ options: InspectOptions) throws -> ExitStatus {
        let catalog = try VersionCatalog(
            paths: [path] + options.models, isMerging: options.isMerging,
            sources: options.sources.selection)
        let inspection = ModelInspection(catalog, language: options.language)
        catalog.bundleWarnings.forEach { Console.note("warning: \($0)\n") }
        Console.print(options.isJSON ? try JSONText.text(inspection) : inspection.description)
        return inspection.hasErrors ? .findings : .done
    }

    private static func inspectStore(_ path: String, _ options: InspectOptions) throws -> ExitStatus {
        let catalog = try VersionCatalog(
            paths: options.models, isMerging: options.isMerging,
            sources: options.sources.selection)
        if let type = try? PersistentStoreRegistry.standard.type(at: path), type != .sqlite {
            let inspection = try AtomicStoreInspection(path: path, catalog: catalog)
            Console.print(options.isJSON ? try JSONText.text(inspection) : inspection.description)
            return !options.models.isEmpty && inspection.version == nil ? .findings : .done
        }
        let store = try SQLiteStore(path: path)
        let match = options.models.isEmpty ? nil : try StoreInspection.match(store, in: catalog)
        // A missing model is reported by the match, and is not an error here.
        let model = try? catalog.sourceVersion(of: store, named: nil)
        let outline = try model.map {
            ModelOutline($0, localization: try catalog.localization(of: $0.path, language: options.language))
        }
        let inspection = try StoreInspection(of: store, match: match, model: outline)
        Console.print(options.isJSON ? try JSONText.text(inspection) : inspection.description)
        return match != nil && match?.version == nil ? .findings : .done
    }
}
