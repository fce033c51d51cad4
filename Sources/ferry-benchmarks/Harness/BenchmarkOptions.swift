import CommandLineParsing

struct BenchmarkOptions: OptionTable {
    var runs = 5
    var rows = 2_000_000
    var stores = 1000
    var models: String?
    var ferry: String?
    var isJSON = false
    var operands: [String] = []

    static let flags: [Flag<Self>] = [
        .value(
            "runs", \.runs, within: 1...1000, placeholder: "N",
            "Timed runs of each side; one more comes first, untimed, to warm the caches."),
        .value(
            "rows", \.rows, within: 1000...100_000_000, placeholder: "N",
            "Rows of the large store; the small one has a twentieth."),
        .value("stores", \.stores, within: 1...100_000, placeholder: "N", "Stores of the suite fleet."),
        .optionalValue(
            "models", \.models, placeholder: "PATH",
            "The model of the suites models and fleet; a generated one without it."),
        .optionalValue(
            "ferry", \.ferry, placeholder: "PATH",
            "The tool to measure; the one built beside this without it."),
        .switch("json", \.isJSON, "Print the figures as JSON."),
    ]
}
