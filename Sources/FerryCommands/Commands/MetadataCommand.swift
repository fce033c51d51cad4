import CommandLineParsing

struct MetadataOptions: OptionTable {
    var type: MetadataValueType?
    var isJSON = false
    var timeout = LockWaiting.standard
    var operands: [String] = []

    static let flags: [Flag<Self>] = [
        .optionalChoice(
            "type", \.type, placeholder: "TYPE",
            "With set: what VALUE is; by default, what it looks like. Data are base64, arrays and dictionaries are JSON."
        ),
        .timeout(\.timeout),
        .switch("json", \.isJSON, "Print JSON: dates as text, data as base64."),
    ]
}

extension Command {
    static let metadata = Command(
        "metadata", "Show and change the metadata of a store",
        discussion:
            "The metadata of a store of any type are a dictionary in which Core Data keeps the version hashes and "
            + "the UUID, and the app what it likes. Without an action, and with get, the dictionary or the value of "
            + "one key is printed. set and remove change a key, and leave everything else as it is. Keys that begin "
            + "with NS or _NS are Core Data's own and cannot be changed. The exit status is 1 if there is no such "
            + "key.",
        operands: OperandRule("STORE [get [KEY] | set KEY VALUE | remove KEY]", 1, upTo: 4),
        options: MetadataOptions.self
    ) { options in
        let request = try MetadataRequest(options)
        return try LockWaiting.wait(options.timeout) { try request.run() }
    }
}
