import CommandLineParsing

enum DecompilationForm: String, CaseIterable, Sendable {
    case xcode, swiftdata
}

struct DecompileOptions: SourceOptions {
    var form = DecompilationForm.xcode
    var output: String?
    var isForced = false
    var isJSON = false
    var sources = SourceArguments()
    var operands: [String] = []

    static let flags = withSourceFlags([
        .optionalValue(
            "output", short: "o", \.output, placeholder: "PATH",
            "The source model: an .xcdatamodeld, an .xcdatamodel for a single version, or with --to swiftdata a Swift file."
        ).required(),
        .choice(
            "to", \.form, placeholder: "FORM",
            "What to write: a model of Xcode, or the @Model classes of SwiftData."),
        .switch("force", \.isForced, "Replace an existing source model."),
        .switch("json", \.isJSON, "Print what was written as JSON."),
    ])
}

extension Command {
    static let decompile = Command(
        "decompile", "Make a source model of a compiled one, or of the one in a store",
        discussion:
            "Xcode opens the result. It lacks what compiled models do not hold: the places of entities in the "
            + "diagram, code generation, the names of composite types. What a compiled model holds and a source "
            + "cannot is listed, and the exit status is 1. The version hashes of the result are those of the "
            + "original, or nothing is written. A model of Xcode 3 becomes one of today's form in the same way. With "
            + "--to swiftdata, each version becomes a VersionedSchema; what SwiftData has no place for is listed, and the "
            + "entities whose version hashes change.",
        operands: .one("MODEL|STORE"), options: DecompileOptions.self
    ) { options in
        try DecompileRequest(options).run()
    }
}
