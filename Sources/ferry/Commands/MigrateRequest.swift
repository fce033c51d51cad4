import CommandLineParsing
import Foundation
import MappingModels
import PersistentStores
import StoreMigration

/// A migration as asked for, its options checked against each other.
struct MigrateRequest {
    private let options: MigrateOptions
    private let path: String
    private let placement: MigrationPlacement
    private var mappings: [MappingModelDocument] = []

    init(_ options: MigrateOptions) throws(UsageError) {
        self.options = options
        path = options.operands[0]
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
        if let report = options.report { try JSONText.checkWritable(report) }
        let catalog = try options.isMerging
            ? VersionCatalog(merging: options.models) : VersionCatalog(paths: options.models)
        mappings = try options.mappings.map { try MappingModelFile.read(path: $0) }
        var (plan, fingerprint) = try look(catalog)
        // A refusal leaves even the journal of a program that died as it is.
        if !options.isDryRun, !plan.isRefused, options.output == nil,
            try JournalRecovery.rollBack(StoreFiles(followingLinks: path)) {
            (plan, fingerprint) = try look(catalog)
        }
        catalog.warnings.forEach { Console.note("warning: \($0)\n") }
        if options.isDryRun {
            Console.print(options.isJSON ? try JSONText.text(MigrationPlanDocument(plan)) : plan.description)
            return status(of: plan)
        }
        guard !plan.isRefused else {
            let document = try JSONText.text(MigrationPlanDocument(plan))
            if options.isJSON { Console.print(document) }
            Console.note(plan.description)
            if let report = options.report { try JSONText.write(document, to: report) }
            return .failed
        }
        let printer = ProgressPrinter(mode: options.progress)
        defer { printer.finish() }
        Cancellation.watchSignals()
        let manager = MigrationManager(
            options: MigrationOptions(
                limits: BatchLimits(rows: options.batchRows, bytes: options.batchBytes.bytes),
                verifiesFully: options.verifiesFully, onProgress: { printer.show($0) },
                isCancelled: { Cancellation.isRequested }, onCheckpoint: CrashInjection.checkpoint))
        let report = try manager.execute(plan, unchangedSince: fingerprint)
        printer.finish()
        Console.print(options.isJSON ? try JSONText.text(report) : report.description)
        var isReported = true
        if let path = options.report {
            do {
                try JSONText.write(JSONText.text(report), to: path)
            } catch {
                Console.note("warning: the store is migrated, but its report is not written: \(error)\n")
                isReported = false
            }
        }
        return !isReported || report.findings.contains { $0.severity == .warning } ? .findings : .done
    }

    /// The plan, and what the files looked like before it: whatever is written from then on is noticed before anything
    /// is replaced.
    private func look(_ catalog: VersionCatalog) throws -> (plan: MigrationPlan, fingerprint: StoreFingerprint) {
        let fingerprint = StoreFingerprint(of: StoreFiles(followingLinks: path), isSettled: true)
        let store = try SQLiteStore(path: path)
        let source = try catalog.sourceVersion(
            of: store, named: options.from, configuration: options.configuration, towards: options.to)
        let destination = try catalog.destinationVersion(named: options.to, for: source)
            .adopting(store.metadata, from: source)
        let mapping = try MappingChoice.mapping(among: mappings, from: source, to: destination, in: catalog)
        let plan = try MigrationPlanner(
            store: store, from: source, to: destination,
            options: .init(
                placement: placement, history: options.history, isThorough: options.isDryRun, mapping: mapping,
                defaultPolicies: Set(options.policies.map(\.className)))
        ).plan()
        return (plan, fingerprint)
    }

    private func status(of plan: MigrationPlan) -> ExitStatus {
        if plan.isRefused { return .failed }
        if plan.lacksSpace { return .temporary }
        switch plan.severity {
        case .error: return .failed
        case .warning: return .findings
        case .note, nil: return .done
        }
    }
}
