import CommandLineParsing
import MappingModels

struct MappingCheckOptions: SourceOptions {
    var models: [String] = []
    var from: String?
    var to: String?
    var isJSON = false
    var sources = SourceArguments()
    var operands: [String] = []

    static let flags = withSourceFlags([
        .values(
            "models", short: "m", \.models, placeholder: "PATH",
            "A model bundle, a model, or a folder with some."
        ).required(),
        .optionalValue(
            "from", \.from, placeholder: "VERSION",
            "The source version; by default found by the mapping's hashes or paths."),
        .optionalValue(
            "to", \.to, placeholder: "VERSION",
            "The destination version; by default found by the mapping's hashes or paths."),
        .switch("json", \.isJSON, "Print JSON."),
    ])
}

extension Command {
    static let mappingCheck = Command(
        "check", "Check a mapping model against the models it leads from and to",
        discussion:
            "Finds names that the models do not have, values that do not fit, required properties that nothing "
            + "fills, and hashes that no version has. The exit status is 0 if nothing is wrong, 1 if there are only "
            + "warnings, and 2 if the mapping model cannot be used.",
        operands: OperandRule("MAPPING", 1, upTo: 1),
        options: MappingCheckOptions.self
    ) { options in
        let document = try MappingModelFile.read(path: options.operands[0])
        let pair = try ModelPair(
            models: options.models, sources: options.sources, from: options.from, to: options.to,
            mapping: document.model)
        let report = MappingCheckReport(document, problems: pair.review(document.model))
        Console.print(options.isJSON ? try pair.json(report) : report.text)
        return report.hasErrors ? .failed : report.isClean ? .done : .findings
    }
}
