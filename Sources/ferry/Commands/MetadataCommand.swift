import CommandLineParsing

struct MetadataOptions: OptionTable {
    var type: MetadataValueType?
    var isJSON = false
    var timeout = LockPatience.standard
    var operands: [String] = []

    static let flags: [Flag<Self>] = [
        .optionalChoice(
            "type", \.type, placeholder: "TYPE",
            "With set: what VALUE is; without it, what it looks like. Data are base 64."),
        .timeout(\.timeout),
        .switch("json", \.isJSON, "Print JSON: dates as text, data as base 64."),
    ]
}

extension Command {
    static let metadata = Command(
        "metadata", "Show and change the metadata of a store",
        discussion: "Of a store of any type: the dictionary in which Core Data keeps version hashes and UUID, and "
            + "apps what they like. Without an action, and with get, it is printed, or the value of one key; set and "
            + "remove change it, and leave everything else as it is. Keys that begin with NS or _NS are Core Data's "
            + "own and cannot be changed. Exits with 1 where there is no such key.",
        operands: OperandRule("STORE [get [KEY] | set KEY VALUE | remove KEY]", 1, upTo: 4),
        options: MetadataOptions.self
    ) { options in
        let request = try MetadataRequest(options)
        return try LockPatience.wait(options.timeout) { try request.run() }
    }
}
