import CommandLineParsing

struct DecompileOptions: OptionTable {
    var output: String?
    var isForced = false
    var isJSON = false
    var operands: [String] = []

    static let flags: [Flag<Self>] = [
        .optionalValue(
            "output", short: "o", \.output, placeholder: "PATH",
            "The source model: an .xcdatamodeld, or an .xcdatamodel for a single version."
        ).required(),
        .switch("force", \.isForced, "Replace a source model that is there already."),
        .switch("json", \.isJSON, "Print what was written as JSON."),
    ]
}

extension Command {
    static let decompile = Command(
        "decompile", "Make a source model of a compiled one, or of the one in a store",
        discussion: "Xcode opens the result. What compiled models do not hold is not in it: the places of entities in "
            + "the diagram, code generation, the names of composite types. What a compiled model holds and a source "
            + "cannot is listed, and the exit status is 1. The version hashes are those of what was read, or nothing is "
            + "written. Models of Xcode 3 are brought into the form of today in the same way.",
        operands: .one("MODEL|STORE"), options: DecompileOptions.self
    ) { options in
        try DecompileRequest(options).run()
    }
}
