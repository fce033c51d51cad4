import CommandLineParsing
import FoundationEssentials
import PersistentStores
import ReportPages
import StoreConversion
import StoreMigration

/// A request to migrate a store, whose options have been checked against each other.
struct MigrateRequest {
    private let options: MigrateOptions
    private let path: String
    private let placement: MigrationPlacement
    private let pragmas: StorePragmas
    private let standard: StandardDocument

    init(_ options: MigrateOptions) throws(UsageError) {
        self.options = options
        path = options.operands[0]
        pragmas = try StorePragmas(options.pragmas)
        if options.isForced, options.report == nil { throw .dependent("--force", on: "--report") }
        if options.stages != nil, !options.mappings.isEmpty { throw .conflict("--stages", with: "--mapping") }
        standard = try StandardDocument([("--report", options.report)], [("--json", options.isJSON)])
        if !options.failOn.isEmpty, !options.isDryRun { throw .dependent("--fail-on", on: "--dry-run") }
        if options.rehearses, !options.isDryRun { throw .dependent("--rehearse", on: "--dry-run") }
        if options.isInPlace, options.resumes { throw .conflict("--in-place", with: "--resume") }
        switch (options.output, options.isInPlace) {
        case (_?, true): throw .conflict("--output", with: "--in-place")
        case (let output?, false):
            if options.backup != nil { throw .conflict("--output", with: "--backup") }
            try CommandOutput.checkIsPath(output, "a store")
            placement = .output(output)
        case (nil, true): placement = .inPlace(backup: options.backup)
        case (nil, false): placement = .replace(backup: options.backup)
        }
    }

    func run() throws -> ExitStatus {
        // The report is checked now, because after the migration it would be too late.
        if let report = options.report { try CommandOutput.check(report, isReplacing: options.isForced) }
        let type = try? PersistentStoreRegistry.standard.type(at: path)
        if let type, type != .sqlite { try pragmas.check(for: type) }
        let models = try models()
        let migration: PlannedMigration
        do {
            // A dry run of several steps writes scratch stores, and a store of another type is represented by an SQLite
            // store. They are removed if the work is interrupted.
            if options.isDryRun || (type ?? .sqlite) != .sqlite { Cancellation.watchSignals() }
            migration = try StoreMigrator(models, options: migratorOptions).plan(path, placement)
        } catch let error as UnknownPolicyClass {
            throw usageError(error)
        }
        let plan = migration.plan
        models.catalog.warnings.forEach { Console.note("warning: \($0)\n") }
        if options.isDryRun {
            standard.say(options.isJSON ? try JSONText.text(ChainPlanDocument(plan)) : plan.description)
            try write(plan)
            return status(of: plan)
        }
        guard !plan.isRefused else { return try refuse(plan) }
        let printer = ProgressPrinter(mode: options.progress)
        defer { printer.finish() }
        Cancellation.watchSignals()
        var execution = MigrationOptions(
            limits: BatchLimits(rows: options.batchRows, bytes: options.batchBytes.bytes),
            verifiesFully: options.verifiesFully, onProgress: { printer.show($0) },
            isCancelled: { Cancellation.isRequested }, onCheckpoint: CrashInjection.checkpoint)
        execution.resumes = options.resumes
        execution.writer = options.writer
        execution.pragmas = pragmas
        let report: ChainReport
        do {
            report = try migration.execute(execution)
        } catch let error as MigrationError {
            // The run may have found problems that a dry run would have found before.
            let plan = error.plan.map { plan.replacing(first: $0) } ?? plan
            switch error.code {
            case .invalid(let findings):
                printer.finish()
                return try refuse(plan.adding(findings))
            case .refused where plan.isRefused:
                printer.finish()
                return try refuse(plan)
            default: throw error
            }
        }
        printer.finish()
        let document = try report.single.map { try JSONText.text($0) } ?? JSONText.text(report)
        standard.say(options.isJSON ? document : report.description)
        if let type = migration.standInType {
            Console.note("\(options.output ?? path) is a store of type \(type.name) again\n")
        }
        var isReported = true
        if let path = options.report {
            do {
                try ReportFile.write(
                    to: path, isReplacing: options.isForced, json: document,
                    page: ReportPage(report, plan: plan, tool: ReportFile.tool))
            } catch {
                Console.note("warning: the store is migrated, but its report is not written: \(error)\n")
                isReported = false
            }
        }
        return !isReported || report.findings.contains { $0.severity == .warning } ? .findings : .done
    }

    private func refuse(_ plan: ChainPlan) throws -> ExitStatus {
        if options.isJSON { Console.print(try JSONText.text(ChainPlanDocument(plan))) }
        Console.note(plan.description)
        try write(plan)
        return .failed
    }

    /// Writes the plan, if a report is requested.
    private func write(_ plan: ChainPlan) throws {
        guard let report = options.report else { return }
        try ReportFile.write(
            to: report, isReplacing: options.isForced, json: JSONText.text(ChainPlanDocument(plan)),
            page: ReportPage(plan, tool: ReportFile.tool))
    }

    private func models() throws -> MigrationModels {
        var paths = MigrationModels.Paths(models: options.models)
        paths.isMerging = options.isMerging
        paths.sources = options.sources.selection
        paths.mappings = options.mappings
        paths.stages = options.stages
        paths.looksBesideModels = options.chain != .direct
        let models = try MigrationModels(paths)
        models.catalog.versionOption = "--from"
        for warning in models.warnings { Console.note("warning: \(warning)\n") }
        for error in models.unreadable { Console.note("warning: \(error); the mapping model is not used\n") }
        return models
    }

    private var migratorOptions: StoreMigrator.Options {
        var result = StoreMigrator.Options()
        result.source = options.from
        result.configuration = options.configuration
        result.destination = options.to
        result.chain = options.chain
        result.planning = MigrationPlanner.Options(
            history: options.history, isThorough: options.isDryRun, defaultPolicies: options.policies.defaultClasses,
            policies: options.policies.registry(patience: options.policyTimeout))
        result.planning.looksAhead = options.isDryRun
        result.planning.rehearses = options.rehearses
        result.planning.narrowing = options.narrowing
        result.planning.invalidObjects = options.invalidObjects
        result.policyClasses = options.policies.map(\.className)
        result.isDryRun = options.isDryRun
        result.onStandIn = Console.noteWarnings
        result.isCancelled = { Cancellation.isRequested }
        return result
    }

    private func usageError(_ error: UnknownPolicyClass) -> UsageError {
        let argument = options.policies.first { $0.className == error.name }?.argument ?? error.name
        return .badValue(
            argument, of: "--policy",
            expected: error.known.isEmpty
                ? "a mapping model that names the class \(error.name); the given ones name no policy class"
                : "a class that a mapping model names: \(error.known.joined(separator: ", "))")
    }

    private func status(of plan: ChainPlan) -> ExitStatus {
        if plan.isRefused { return .failed }
        if plan.lacksSpace { return .temporary }
        if plan.findings.contains(where: { finding in options.failOn.contains { $0.stops(finding) } }) {
            return .findings
        }
        switch plan.severity {
        case .error: return .failed
        case .warning: return .findings
        case .note, nil: return .done
        }
    }
}
