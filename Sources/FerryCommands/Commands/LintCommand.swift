import CommandLineParsing
import ModelLinting

enum LintFormat: String, CaseIterable, Sendable {
    case text, json, sarif, github
}

struct LintOptions: SourceOptions {
    var version: String?
    var from: String?
    var to: String?
    var mappings: [String] = []
    var against: String?
    var frozen: String?
    var target: LintTarget?
    var format = LintFormat.text
    var silence: String?
    var failOn: [LintGate] = []
    var output: String?
    var report: String?
    var isForced = false
    var progress = ProgressMode.auto
    var sources = SourceArguments()
    var operands: [String] = []

    static let flags = withSourceFlags([
        .optionalValue(
            "version", \.version, placeholder: "VERSION",
            "The version to check: its name or its path; by default the current one."),
        .optionalValue(
            "from", \.from, placeholder: "VERSION",
            "Also check the step from this version; all for the steps from every older version of the bundle."),
        .optionalValue(
            "to", \.to, placeholder: "VERSION", "With --from: the newer version, which is checked."),
        .values(
            "mapping", \.mappings, placeholder: "FILE|FOLDER",
            "With --from: a mapping model that the app has, or a folder with some; what they do is not reported as a risk."
        ),
        .optionalValue(
            "against", \.against, placeholder: "REVISION|PATH",
            "What was shipped: a revision of the models' Git repository, or a folder or bundle."),
        .optionalValue(
            "frozen", \.frozen, placeholder: "FILE",
            "Check that the versions in this file of ferry freeze have its hashes."),
        .optionalChoice(
            "for", \.target, placeholder: "TARGET", "Also find what models of this kind do not have."),
        .choice("format", \.format, placeholder: "FORMAT", "How to print the findings."),
        .optionalValue(
            "silence", \.silence, placeholder: "FILE",
            "The file of silences; .ferry-lint.yaml next to the model by default."),
        .values(
            "fail-on", \.failOn, separator: ",", placeholder: "WHAT,...",
            "Exit with 1 from this severity on, on findings of these codes, or on destructive ones, which lose data and "
                + "become errors; by default on warnings."),
        .optionalValue(
            "output", short: "o", \.output, placeholder: "FILE", "Write the findings to a file; - is standard output."),
        .report(\.report),
        .force(\.isForced, "a file"),
        .progress(\.progress),
    ])
}

extension Command {
    static let lint = Command(
        "lint", "Find problems in a model, and risks between its versions",
        discussion:
            "PATH is a model bundle, a model, or a folder with some. Without --version and --to, the current "
            + "version of each is checked. With --from, the risks of the step from that version are found too, "
            + "as far as no mapping model takes care of them, and with --against every edit of a version that was shipped. Each finding has a code, with which the "
            + "file of silences can name it and give the reason why it is accepted.",
        operands: .one("PATH"), options: LintOptions.self
    ) { options in
        let request = try LintRequest(options)
        return try ProgressWatch.during("checking", options.progress) { _ in try request.run() }
    }
}
