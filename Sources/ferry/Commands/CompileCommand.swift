import CommandLineParsing

struct CompileOptions: OptionTable {
    var output: String?
    var version: String?
    var module: String?
    var isForced = false
    var isJSON = false
    var operands: [String] = []

    static let flags: [Flag<Self>] = [
        .optionalValue(
            "output", short: "o", \.output, placeholder: "PATH",
            "The compiled model: a .momd for all versions, a .mom for one."
        ).required(),
        .optionalValue(
            "version", \.version, placeholder: "VERSION",
            "The version of a .mom, or the one that a .momd calls current; the current one without it."),
        .optionalValue(
            "module", \.module, placeholder: "NAME",
            "The Swift module of classes that the model leaves to the current product module."),
        .switch("force", \.isForced, "Replace a compiled model that is there already."),
        .switch("json", \.isJSON, "Print what was compiled as JSON."),
    ]
}

extension Command {
    static let compile = Command(
        "compile", "Compile a model as an app ships it",
        discussion: "A .momd gets a .mom for each version, and VersionInfo.plist with the current version, hashes and "
            + "checksums. Texts of the model (NAMEModel.strings, in folders LANGUAGE.lproj) are carried along. An error "
            + "in any version is an error of the whole, and then nothing is written. Exits with 1 where something of "
            + "the source is not in the result, or is not established.",
        operands: .one("MODEL"), options: CompileOptions.self
    ) { options in
        try CompileRequest(options).run()
    }
}
