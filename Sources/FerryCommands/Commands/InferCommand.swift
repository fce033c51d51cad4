import CommandLineParsing
import MappingModels

struct InferOptions: SourceOptions {
    var models: [String] = []
    var from: String?
    var to: String?
    var isJSON = false
    var output: String?
    var isForced = false
    var progress = ProgressMode.auto
    var sources = SourceArguments()
    var operands: [String] = []

    static let flags = withSourceFlags([
        .values(
            "models", short: "m", \.models, placeholder: "PATH",
            "A model bundle, a model, or a folder with some."
        ).required(),
        .optionalValue("from", \.from, placeholder: "VERSION", "The source version: its name or its path.")
            .required(),
        .optionalValue("to", \.to, placeholder: "VERSION", "The destination version; by default the current one."),
        .switch("json", \.isJSON, "Print JSON."),
        .optionalValue(
            "output", short: "o", \.output, placeholder: "FILE",
            "Write the mapping model as YAML; with -, to standard output."),
        .force(\.isForced, "a file"),
        .progress(\.progress),
    ])
}

extension Command {
    static let infer = Command(
        "infer", "Infer the mapping model between two versions, or say why not",
        discussion:
            "The exit status is 0 if a mapping can be inferred, 1 if it can but some data would make the "
            + "migration fail, and 2 if it cannot. With --output, the mapping model is written in all cases: comments "
            + "name what inference cannot know, to be completed by hand.",
        options: InferOptions.self
    ) { options in
        if let output = options.output { try CommandOutput.check(output, isReplacing: options.isForced) }
        let (pair, mapping) = try ProgressWatch.during("inferring", options.progress) {
            _ throws -> (ModelPair, InferredMapping) in
            let pair = try ModelPair(
                models: options.models, sources: options.sources, from: options.from, to: options.to)
            return (pair, pair.inferredMapping)
        }
        let report = InferenceReport(mapping)
        let verdict = options.isJSON ? try pair.json(report) : "\(pair.title): \(report.text)"
        // If the mapping model is written to standard output, nothing else is.
        if options.output == CommandOutput.standard { Console.note(verdict) } else { Console.print(verdict) }
        if let output = options.output {
            try CommandOutput.write(text(of: mapping, pair), to: output, isReplacing: options.isForced)
            if !mapping.isInferable { Console.note("\(output): complete what the comments name\n") }
        }
        switch report.verdict {
        case .inferable: return .done
        case .dataDependent: return .findings
        case .refused: return .failed
        }
    }

    /// Returns the mapping model, with comments where something is missing or depends on the data.
    private static func text(of mapping: InferredMapping, _ pair: ModelPair) -> String {
        let head =
            mapping.isInferable ? "Inferred by ferry: " : "Begun by ferry, to be completed where comments say so: "
        return MappingModelWriter.yaml(
            mapping.editableModel, comments: [head + pair.title] + mapping.failures.map(\.description),
            notes: Dictionary(grouping: mapping.failures, by: \.subject).mapValues { $0.map(\.sentence) })
    }
}
