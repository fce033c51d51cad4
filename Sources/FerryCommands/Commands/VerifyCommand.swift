import CommandLineParsing
import StoreVerification

enum VerifyFormat: String, CaseIterable, Sendable {
    case text, json
}

struct VerifyOptions: SourceOptions {
    var models: [String] = []
    var version: String?
    var configuration: String?
    var rules: [String] = []
    var limit = StoreVerifier.Options().exampleLimit
    var format = VerifyFormat.text
    var isJSON = false
    var report: String?
    var isForced = false
    var progress = ProgressMode.auto
    var timeout = LockWaiting.standard
    var sources = SourceArguments()
    var operands: [String] = []

    static let flags = withSourceFlags([
        .values(
            "models", short: "m", \.models, placeholder: "PATH",
            "Models to find the store's version among; by default the model that the store carries."),
        .optionalValue(
            "version", \.version, placeholder: "VERSION",
            "The version to check the store against; by default the one with its hashes."),
        .optionalValue(
            "configuration", \.configuration, placeholder: "NAME",
            "The configuration that the store holds, if its entities do not show it."),
        .values("rule", \.rules, placeholder: "RULE", "Check only this rule, by its code."),
        .value("limit", \.limit, within: 0...1_000_000, placeholder: "N", "How many objects a finding names."),
        .timeout(\.timeout),
        .progress(\.progress),
        .choice("format", \.format, placeholder: "FORMAT", "How to print the findings."),
        .switch("json", \.isJSON, "Print JSON; the same as --format json."),
        .report(\.report),
        .force(\.isForced, "a report"),
    ])
}

extension Command {
    static let verify = Command(
        "verify", "Look for everything that is wrong with a store",
        discussion:
            "Finds links that lead nowhere, values that the model does not allow, keys that would be used twice, "
            + "files of external data that are missing, damaged pages, and more. Each finding has a code, a count, "
            + "and the URIs of some of the objects. Nothing is written. If no version has the store's hashes, only "
            + "the file and its bookkeeping are checked. The exit status is 1 if there are warnings or errors.",
        operands: .one("STORE"), options: VerifyOptions.self
    ) { options in
        let request = try VerifyRequest(options)
        return try LockWaiting.wait(options.timeout) { try request.run() }
    }
}
