import CommandLineParsing
import StoreVerification

enum VerifyFormat: String, CaseIterable, Sendable {
    case text, json
}

struct VerifyOptions: OptionTable {
    var models: [String] = []
    var version: String?
    var configuration: String?
    var rules: [String] = []
    var limit = StoreVerifier.Options().exampleLimit
    var format = VerifyFormat.text
    var isJSON = false
    var timeout = LockPatience.standard
    var operands: [String] = []

    static let flags: [Flag<Self>] = [
        .values(
            "models", short: "m", \.models, placeholder: "PATH",
            "Models to find the store's version among; the model that the store carries without it."),
        .optionalValue(
            "version", \.version, placeholder: "VERSION",
            "The version to hold the store against; the one with its hashes without it."),
        .optionalValue(
            "configuration", \.configuration, placeholder: "NAME",
            "The configuration that the store holds, where its entities do not tell."),
        .values("rule", \.rules, placeholder: "RULE", "Look for this only; a code of the list of rules."),
        .value("limit", \.limit, within: 0...1_000_000, placeholder: "N", "How many objects a finding names."),
        .timeout(\.timeout),
        .choice("format", \.format, placeholder: "FORMAT", "How to print the findings."),
        .switch("json", \.isJSON, "Print JSON; the same as --format json."),
    ]
}

extension Command {
    static let verify = Command(
        "verify", "Look for everything that is wrong with a store",
        discussion: "Links that lead nowhere, values that the model does not allow, keys that would be given twice, "
            + "files of "
            + "external data that are missing, damaged pages, and more; each with a code, a count, and URIs of some of "
            + "the objects. Nothing is written. Without a model that has the store's hashes only the file and its "
            + "bookkeeping are checked. Exits with 1 where there are warnings or errors.",
        operands: .one("STORE"), options: VerifyOptions.self
    ) { options in
        let request = try VerifyRequest(options)
        return try LockPatience.wait(options.timeout) { try request.run() }
    }
}
