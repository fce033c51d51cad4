import CommandLineParsing
import ReportPages
import StoreFleets
import StoreMigration
import StoreVerification

/// A request to verify a store, whose options have been checked.
struct VerifyRequest {
    private let options: VerifyOptions
    private let rules: Set<VerificationRule>
    private let standard: StandardDocument

    init(_ options: VerifyOptions) throws(UsageError) {
        self.options = options
        if options.isForced, options.report == nil { throw .dependent("--force", on: "--report") }
        standard = try StandardDocument(
            [("--report", options.report)], [("--json", options.isJSON || options.format == .json)])
        rules = try Set(Self.rules(options.rules, of: "--rule"))
    }

    /// Returns the rules with these codes.
    static func rules(_ codes: [String], of option: String) throws(UsageError) -> [VerificationRule] {
        var rules: [VerificationRule] = []
        for code in codes {
            guard let rule = VerificationRule(rawValue: code) else {
                throw .badValue(
                    code, of: option, expected: "the code of a rule", among: VerificationRule.allCases.map(\.code))
            }
            rules.append(rule)
        }
        return rules
    }

    func run() throws -> ExitStatus {
        if let report = options.report { try CommandOutput.check(report, isReplacing: options.isForced) }
        Cancellation.watchSignals()
        let catalog = try VersionCatalog(paths: options.models, sources: options.sources.selection)
        var settings = StoreVerifier.Options()
        settings.rules = rules
        settings.exampleLimit = options.limit
        settings.isCancelled = { Cancellation.isRequested }
        let printer = ProgressPrinter(mode: options.progress)
        defer { printer.finish() }
        settings.onProgress = {
            printer.show(stage: "checking", table: $0.table, rowsDone: $0.rowsDone, rowsTotal: $0.rowsTotal)
        }
        let (report, version) = try catalog.verify(
            storeAt: options.operands[0], named: options.version, configuration: options.configuration,
            options: settings)
        printer.finish()
        let isJSON = options.isJSON || options.format == .json
        if let path = options.report {
            try ReportFile.write(
                to: path, isReplacing: options.isForced, json: JSONText.text(report),
                page: ReportPage(report, version: version, tool: ReportFile.tool))
        }
        standard.say(isJSON ? try JSONText.text(report) : report.description)
        return report.severity.map { $0 >= .warning } ?? false ? .findings : .done
    }
}
