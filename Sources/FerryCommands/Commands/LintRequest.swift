import CommandLineParsing
import ManagedObjectModels
import ModelLinting
import PersistentStores
import ReportPages
import StoreMigration

/// A request to lint models, whose options have been checked against each other.
struct LintRequest {
    private let options: LintOptions
    private let path: String
    private let standard: StandardDocument

    init(_ options: LintOptions) throws(UsageError) {
        self.options = options
        path = options.operands[0]
        standard = try StandardDocument(
            [("--report", options.report), ("--output", options.output)],
            [("--format \(options.format.rawValue)", options.output == nil && options.format != .text)])
        if options.version != nil, options.to != nil { throw .conflict("--version", with: "--to") }
        if options.to != nil, options.from == nil { throw .dependent("--to", on: "--from") }
        if !options.mappings.isEmpty, options.from == nil { throw .dependent("--mapping", on: "--from") }
    }

    func run() throws -> ExitStatus {
        for path in [options.output, options.report].compactMap(\.self) {
            try CommandOutput.check(path, isReplacing: options.isForced)
        }
        let silences = try (options.silence ?? LintSilences.path(beside: path)).map { try LintSilences(path: $0) }
        let models = try ModelVersions(modelOrStoreAt: path, sources: options.sources.selection)
        let chosen = try versions(of: models)
        var scopes: Set<LintCode.Scope> = [.version]
        var findings = ModelLinter.findings(in: models)
        for version in chosen { findings += ModelLinter.findings(in: version, for: options.target) }
        if options.target != nil { scopes.insert(.target) }
        if let from = options.from {
            guard chosen.count == 1 else { throw ModelError(.severalCurrentVersions(paths: chosen.map(\.path))) }
            if from == "all" && models.versions.named(from).isEmpty {
                let mappings = try LintMappings(options, to: chosen[0], in: path)
                findings += try ModelLinter.findings(fromAll: models, to: chosen[0], by: mappings.document)
            } else {
                let old = try models.version(from)
                let mappings = try LintMappings(options, from: old, to: chosen[0], in: path)
                findings += try ModelLinter.findings(from: old, to: chosen[0], by: mappings.document(from: old))
            }
            scopes.insert(.change)
        }
        if let against = options.against {
            findings += try shippedFindings(in: models, against: against)
            scopes.insert(.shipped)
        }
        if let frozen = options.frozen {
            findings += ModelLinter.findings(in: models, frozen: try FrozenVersions(path: frozen))
            scopes.insert(.shipped)
        }
        // A version that cannot be read is reported by each of the checks.
        var seen: Set<LintFinding> = []
        findings = findings.filter { seen.insert($0).inserted }
        let gates = options.failOn.isEmpty ? [.severity(.warning)] : options.failOn
        let report = LintReport(
            findings.raised(by: gates), silences: silences, scopes: scopes, versions: Set(chosen.map(\.description)),
            known: Set(models.versions.map(\.description)))
        if let path = options.report {
            try ReportFile.write(
                to: path, isReplacing: options.isForced, json: JSONText.text(LintReportDocument(report)),
                page: ReportPage(
                    report, path: self.path, isStopped: report.isStopped(by: gates), tool: ReportFile.tool))
        }
        let text = try text(of: report)
        if let output = options.output {
            try CommandOutput.write(text, to: output, isReplacing: options.isForced)
        } else {
            standard.say(text)
        }
        return report.isStopped(by: gates) ? .findings : .done
    }

    /// Returns the named version, or else the current version of each bundle and every single model.
    private func versions(of models: ModelVersions) throws -> [ModelVersion] {
        if let name = options.version ?? options.to { return [try models.version(name)] }
        let current = models.versions.filter(\.isCurrent)
        guard !current.isEmpty else {
            throw UsageError.missing("--version VERSION (no version of the model is marked as the current one)")
        }
        return current
    }

    private func shippedFindings(in models: ModelVersions, against: String) throws -> [LintFinding] {
        if FileSystem.exists(against) {
            return try ModelLinter.findings(
                in: models, against: ModelVersions(modelOrStoreAt: against, sources: options.sources.selection),
                label: against)
        }
        let snapshot = try GitSnapshot(of: path, revision: against)
        guard let shipped = snapshot.path else {
            Console.note(
                "note: \(against) has no models at \(path), and none was moved there; there is nothing to compare with\n"
            )
            return []
        }
        if let former = snapshot.formerPath {
            Console.note("note: at \(against) the models of \(path) were at \(former)\n")
        }
        return try withExtendedLifetime(snapshot) {
            try ModelLinter.findings(
                in: models, against: ModelVersions(modelOrStoreAt: shipped, sources: options.sources.selection),
                label: against)
        }
    }

    private func text(of report: LintReport) throws -> String {
        switch options.format {
        case .text: report.description
        case .json: try JSONText.text(LintReportDocument(report))
        case .github: report.gitHubAnnotations
        case .sarif: try JSONText.text(SARIFLog(report, toolVersion: CommandTable.ferry.version))
        }
    }
}
