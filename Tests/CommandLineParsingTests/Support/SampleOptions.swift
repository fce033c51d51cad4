import CommandLineParsing

/// Options of every kind.
struct SampleOptions: OptionTable {
    enum Style: String, CaseIterable, Sendable {
        case auto, bar, plain
    }

    var dryRun = false
    var rows = 1000
    var bytes = ByteCount(bytes: 4 << 20)
    var ratio = 0.5
    var start: Int64?
    var output: String?
    var models: [String] = []
    var keys: [String] = []
    var settings: [Assignment] = []
    var style = Style.auto
    var fallback: Style?
    var operands: [String] = []

    static let flags: [Flag<Self>] = [
        .switch("dry-run", short: "d", \.dryRun, "Print the plan and stop."),
        .value("rows", short: "n", \.rows, within: 1...1_000_000, placeholder: "N", "Rows in a batch."),
        .value("bytes", \.bytes, placeholder: "SIZE", "Bytes in a batch."),
        .value("ratio", \.ratio, placeholder: "X", "A ratio whose help sentence is long enough to be wrapped."),
        .optionalValue("start", \.start, placeholder: "N", "Where to begin."),
        .optionalValue("output", short: "o", \.output, placeholder: "FILE", "The [new] file's name: it's \"made\"."),
        .values("models", short: "m", \.models, placeholder: "PATH", "A model."),
        .values("keys", \.keys, separator: ",", placeholder: "NAMES", "Names of keys."),
        .values("set", \.settings, placeholder: "NAME=VALUE", "A variable."),
        .choice("style", \.style, placeholder: "STYLE", "How progress is shown."),
        .optionalChoice("fallback", \.fallback, placeholder: "STYLE", "What to do when nothing else can be done."),
    ]
}

/// Options of which one is required.
struct RequiredOptions: OptionTable {
    var from: String?
    var operands: [String] = []

    static let flags: [Flag<Self>] = [
        .optionalValue("from", \.from, placeholder: "VERSION", "The old version.").required()
    ]
}
