import CommandLineParsing

struct CompileOptions: SourceOptions {
    var output: String?
    var version: String?
    var module: String?
    var isForced = false
    var isJSON = false
    var sources = SourceArguments()
    var operands: [String] = []

    static let flags = withSourceFlags([
        .optionalValue(
            "output", short: "o", \.output, placeholder: "PATH",
            "The compiled model: a .momd for all versions, a .mom for one."
        ).required(),
        .optionalValue(
            "version", \.version, placeholder: "VERSION",
            "The version of a .mom, or the current version of a .momd; by default that of the source."),
        .optionalValue(
            "module", \.module, placeholder: "NAME",
            "The Swift module of classes in the current product module."),
        .switch("force", \.isForced, "Replace an existing compiled model."),
        .switch("json", \.isJSON, "Print what was compiled as JSON."),
    ])
}

extension Command {
    static let compile = Command(
        "compile", "Compile a model as an app ships it",
        discussion:
            "A .momd gets a .mom for each version, and VersionInfo.plist with the current version, hashes and "
            + "checksums. The texts of the model (NAMEModel.strings, in folders LANGUAGE.lproj) are compiled as "
            + "well. If any version has an error, nothing is written. The exit status is 1 if something of the "
            + "source is not in the result, or rests on a rule that is not established.",
        operands: .one("MODEL"), options: CompileOptions.self
    ) { options in
        try CompileRequest(options).run()
    }
}
