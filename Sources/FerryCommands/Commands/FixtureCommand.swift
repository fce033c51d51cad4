import CommandLineParsing
import StoreFixtures

struct FixtureCommandOptions: SourceOptions {
    var models: [String] = []
    var version: String?
    var isOfAllVersions = false
    var configuration: String?
    var isMerging = false
    var rows = 100
    var seed = 1
    var output: String?
    var progress = ProgressMode.auto
    var isJSON = false
    var sources = SourceArguments()
    var operands: [String] = []

    static let flags = withSourceFlags([
        .values(
            "models", short: "m", \.models, placeholder: "PATH",
            "A model bundle, a model, a folder with some, or a store that carries its model."
        ).required(),
        .optionalValue(
            "version", \.version, placeholder: "VERSION",
            "The version of the model; by default the current one."),
        .switch("all-versions", \.isOfAllVersions, "Make a store of every version."),
        .optionalValue(
            "configuration", \.configuration, placeholder: "NAME",
            "Only the entities of this configuration."),
        .switch("merge", \.isMerging, "Merge the current versions of the models into one."),
        .value(
            "rows", \.rows, within: 0...10_000_000, placeholder: "N", "Objects of each entity that is not abstract."),
        .value("seed", \.seed, within: 0...Int.max, placeholder: "S", "The same number gives the same data."),
        .optionalValue(
            "output", short: "o", \.output, placeholder: "STORE|FOLDER",
            "The new store; with --all-versions the folder for stores named after their versions."
        ).required(),
        .progress(\.progress),
        .switch("json", \.isJSON, "Print what was made as JSON."),
    ])
}

extension Command {
    static let fixture = Command(
        "fixture", "Make a store with made-up data",
        discussion:
            "The data obey every rule of the model: types, ranges, lengths, patterns, relationships, uniqueness. "
            + "Of sixteen objects, five have values at the limits of the rules. If entities get more or fewer "
            + "objects than you asked for, the report says why. The exit status is 1 if something stays without "
            + "data.",
        operands: .none, options: FixtureCommandOptions.self
    ) { options in
        try FixtureRequest(options).run()
    }
}
