import CommandLineParsing
import PersistentStores
import StoreMigration

struct InspectOptions: OptionTable {
    var models: [String] = []
    var isJSON = false
    var operands: [String] = []

    static let flags: [Flag<Self>] = [
        .values("models", short: "m", \.models, placeholder: "PATH",
            "Models to find the store's version among."),
        .switch("json", \.isJSON, "Print JSON."),
    ]
}

extension Command {
    static let inspect = Command(
        "inspect", "Show what a store or a model holds",
        discussion: "Of a store: type, UUID, size, version hashes, entities and rows, and with --models the version "
            + "that it was made with. Of a model: versions, entities and hashes. Nothing is written, not even beside "
            + "the store.",
        operands: .one("PATH"), options: InspectOptions.self
    ) { options in
        let path = options.operands[0]
        return isModel(path) ? try inspectModel(path, options) : try inspectStore(path, options)
    }

    /// Folders hold models; files do where they say so.
    private static func isModel(_ path: String) -> Bool {
        FileSystem.isDirectory(path) || FileSystem.name(of: path) == "contents" || path.hasSuffix(".mom")
    }

    private static func inspectModel(_ path: String, _ options: InspectOptions) throws -> ExitStatus {
        let inspection = ModelInspection(try VersionCatalog(paths: [path] + options.models))
        Console.print(options.isJSON ? try JSONText.text(inspection) : inspection.description)
        return inspection.hasErrors ? .findings : .done
    }

    private static func inspectStore(_ path: String, _ options: InspectOptions) throws -> ExitStatus {
        let store = try SQLiteStore(path: path)
        let match = options.models.isEmpty
            ? nil : try StoreInspection.match(store, in: VersionCatalog(paths: options.models))
        let inspection = try StoreInspection(of: store, match: match)
        Console.print(options.isJSON ? try JSONText.text(inspection) : inspection.description)
        return match != nil && match?.version == nil ? .findings : .done
    }
}
