import CommandLineParsing
import MappingModels

struct DiffOptions: SourceOptions {
    var models: [String] = []
    var from: String?
    var to: String?
    var isJSON = false
    var setsStatus = false
    var sources = SourceArguments()
    var operands: [String] = []

    static let flags = withSourceFlags([
        .values(
            "models", short: "m", \.models, placeholder: "PATH",
            "A model bundle, a model, or a folder with some."
        ).required(),
        .optionalValue("from", \.from, placeholder: "VERSION", "The older version: its name or its path.")
            .required(),
        .optionalValue("to", \.to, placeholder: "VERSION", "The newer version; by default the current one."),
        .switch("json", \.isJSON, "Print JSON."),
        .switch("exit-code", \.setsStatus, "Exit with 1 if the versions differ."),
    ])
}

extension Command {
    static let diff = Command(
        "diff", "Show what changed between two versions of a model",
        discussion:
            "Shows by entity and property what was added (+), removed (-), renamed (>) or changed (~), whether "
            + "the version hash changes, and the risk for the data: rename (older apps look for the old name), "
            + "data-dependent (the data decide whether the migration works), destructive (data are dropped, or need "
            + "a mapping model).",
        options: DiffOptions.self
    ) { options in
        let pair = try ModelPair(
            models: options.models, sources: options.sources, from: options.from, to: options.to)
        let difference = pair.difference
        Console.print(options.isJSON ? try pair.json(difference) : "\(pair.title)\n\n\(difference.text)")
        return options.setsStatus && !difference.isEmpty ? .findings : .done
    }
}
