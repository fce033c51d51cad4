import CommandLineParsing
import MappingModels

struct MappingConvertOptions: SourceOptions {
    var models: [String] = []
    var from: String?
    var to: String?
    var output = ""
    var form: MappingModelForm?
    var isForced = false
    var sources = SourceArguments()
    var operands: [String] = []

    static let flags = withSourceFlags([
        .value(
            "output", short: "o", \.output, placeholder: "PATH",
            "Where the mapping model is written; - is standard output, with --form."
        ).required(),
        .optionalChoice(
            "form", \.form, placeholder: "FORM", "The form to write; by default, the extension of the output decides."),
        .values(
            "models", short: "m", \.models, placeholder: "PATH",
            "Models to fill in what Xcode leaves to its compiler: types, hashes, usual expressions."),
        .optionalValue(
            "from", \.from, placeholder: "VERSION",
            "The source version; by default found by the mapping's hashes or paths."),
        .optionalValue(
            "to", \.to, placeholder: "VERSION",
            "The destination version; by default found by the mapping's hashes or paths."),
        .force(\.isForced, "a mapping model"),
    ])
}

extension Command {
    static let mappingConvert = Command(
        "convert", "Write a mapping model in another form",
        discussion:
            "A compiled mapping model is complete; a source one leaves the usual expressions to the compiler. To "
            + "compile, name the models and the source version.",
        operands: OperandRule("MAPPING", 1, upTo: 1),
        options: MappingConvertOptions.self
    ) { options in
        guard let form = options.form ?? MappingModelForm(pathExtensionOf: options.output) else {
            throw UsageError.badValue(
                options.output, of: "--output",
                expected: "a name that ends in .yaml, .xcmappingmodel or .cdm, or --form")
        }
        if form == .source { try CommandOutput.checkIsPath(options.output, "a folder") }
        let output = MappingModelOutput(path: options.output, form: form, isReplacing: options.isForced)
        try output.check()
        let document = try MappingModelFile.read(path: options.operands[0])
        document.warnings.forEach { Console.note("warning: \($0)\n") }
        var model = document.model
        if !options.models.isEmpty {
            let pair = try ModelPair(
                models: options.models, sources: options.sources, from: options.from, to: options.to,
                mapping: document.model)
            model = pair.completion.completed(model)
        }
        if form == .compiled, options.models.isEmpty, let property = model.firstGeneratedProperty {
            throw MappingModelWritingError(
                "its expression is left to the compiler, which needs the models: name them with --models, or Core Data "
                    + "would fill it with nothing", at: property)
        }
        try output.write(model)
        form.losses(of: model).forEach { Console.note("note: \($0)\n") }
        return document.warnings.isEmpty ? .done : .findings
    }
}
