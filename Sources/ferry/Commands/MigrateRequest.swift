import CommandLineParsing
import FoundationEssentials
import MappingModels
import PersistentStores
import ReportPages
import StoreMigration

/// A migration as asked for, its options checked against each other.
struct MigrateRequest {
    private let options: MigrateOptions
    private let path: String
    private let placement: MigrationPlacement
    private let pragmas: StorePragmas
    private var mappings: [MappingModelDocument] = []
    private var found: [MappingModelDocument] = []
    private var stages: StagedMigrationDocument?

    init(_ options: MigrateOptions) throws(UsageError) {
        self.options = options
        path = options.operands[0]
        pragmas = try StorePragmas(options.pragmas)
        if options.isForced, options.report == nil { throw .dependent("--force", on: "--report") }
        if options.stages != nil, !options.mappings.isEmpty { throw .conflict("--stages", with: "--mapping") }
        if !options.failOn.isEmpty, !options.isDryRun { throw .dependent("--fail-on", on: "--dry-run") }
        if options.isInPlace, options.resumes { throw .conflict("--in-place", with: "--resume") }
        switch (options.output, options.isInPlace) {
        case (_?, true): throw .conflict("--output", with: "--in-place")
        case (let output?, false):
            if options.backup != nil { throw .conflict("--output", with: "--backup") }
            placement = .output(output)
        case (nil, true): placement = .inPlace(backup: options.backup)
        case (nil, false): placement = .replace(backup: options.backup)
        }
    }

    mutating func run() throws -> ExitStatus {
        // After the migration it would be too late to say that there is no place for its report.
        if let report = options.report { try OutputFile.check(report, isReplacing: options.isForced) }
        let catalog = try VersionCatalog(
            paths: options.models, isMerging: options.isMerging,
            sources: options.sources.selection)
        catalog.versionOption = "--from"
        for path in options.mappings {
            let paths = try MappingModelFile.paths(at: path)
            // Of a folder those that are on the way are meant.
            let isFolder = paths != [path]
            for path in paths {
                let document = try MappingModelFile.read(path: path)
                if isFolder { found.append(document) } else { mappings.append(document) }
            }
        }
        stages = try options.stages.map { try StagedMigrationDocument.read(path: $0) }
        findMappings()
        var (plan, fingerprint) = try look(catalog)
        // A refusal leaves even the journal of a program that died as it is.
        if !options.isDryRun, !plan.isRefused, options.output == nil,
            try JournalRecovery.rollBack(StoreFiles(followingLinks: path))
        {
            (plan, fingerprint) = try look(catalog)
        }
        catalog.warnings.forEach { Console.note("warning: \($0)\n") }
        if options.isDryRun {
            Console.print(options.isJSON ? try JSONText.text(ChainPlanDocument(plan)) : plan.description)
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
            report = try MigrationManager(options: execution).execute(plan, unchangedSince: fingerprint)
        } catch let error as MigrationError {
            guard case .invalid(let findings) = error.code else { throw error }
            printer.finish()
            return try refuse(plan.adding(findings))
        }
        printer.finish()
        let document = try report.single.map { try JSONText.text($0) } ?? JSONText.text(report)
        Console.print(options.isJSON ? document : report.description)
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
        let document = try JSONText.text(ChainPlanDocument(plan))
        if options.isJSON { Console.print(document) }
        Console.note(plan.description)
        if let report = options.report {
            try ReportFile.write(
                to: report, isReplacing: options.isForced, json: document,
                page: ReportPage(refused: plan, tool: ReportFile.tool))
        }
        return .failed
    }

    /// Compiled mapping models lie beside the models in an app; one that cannot be read is not used.
    private mutating func findMappings() {
        guard stages == nil, options.chain != .direct else { return }
        let known = Set((mappings + found).map(\.name))
        for path in options.models.flatMap(MappingModelFile.compiledPaths) where !known.contains(path) {
            do {
                found.append(try MappingModelFile.read(path: path))
            } catch {
                Console.note("warning: \(error); the mapping model is not used\n")
            }
        }
    }

    /// The plan, and what the files looked like before it: whatever is written from then on is noticed before anything
    /// is replaced.
    private func look(_ catalog: VersionCatalog) throws -> (plan: ChainPlan, fingerprint: StoreFingerprint) {
        let fingerprint = StoreFingerprint(of: StoreFiles(followingLinks: path), isSettled: true)
        let store = try SQLiteStore(path: path)
        let source = try catalog.sourceVersion(
            of: store, named: options.from, configuration: options.configuration, towards: options.to)
        let destination = try catalog.destinationVersion(named: options.to, for: source)
        let chain =
            try stages.map { try $0.chain(from: source, to: destination, in: catalog) }
            ?? ChainFinder(catalog: catalog, mappings: mappings, found: found)
            .chain(from: source, to: destination, mode: options.chain)
        try checkPolicies(chain)
        // A dry run of several steps writes scratch stores, which go when it is interrupted.
        if options.isDryRun { Cancellation.watchSignals() }
        var planning = MigrationPlanner.Options(
            placement: placement, history: options.history, isThorough: options.isDryRun,
            defaultPolicies: options.policies.defaultClasses,
            policies: options.policies.registry(patience: options.policyTimeout))
        planning.narrowing = options.narrowing
        planning.invalidObjects = options.invalidObjects
        let plan = try ChainPlanner(
            store: store, chain: try catalog.completed(chain), options: planning,
            isCancelled: { Cancellation.isRequested }
        ).plan()
        return (plan, fingerprint)
    }

    /// A program for a class that nothing names would not be run, and no one would notice.
    private func checkPolicies(_ chain: MigrationChain) throws(UsageError) {
        let documents = mappings + found + chain.steps.compactMap(\.mapping)
        let named = Set(documents.flatMap { $0.model.entityMappings.compactMap(\.migrationPolicyClassName) })
        for policy in options.policies
        where !named.contains(where: { PolicyRegistry.isSameClass($0, policy.className) }) {
            throw .badValue(
                policy.argument, of: "--policy",
                expected: named.isEmpty
                    ? "a mapping model that names the class \(policy.className); the given ones name no policy class"
                    : "a class that a mapping model names: \(named.sorted().joined(separator: ", "))")
        }
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
