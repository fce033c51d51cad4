import CommandLineParsing
import PersistentStores
import StoreConversion
import StoreMigration
import StoreVerification

/// A repair as asked for, its options checked against each other.
struct RepairRequest {
    private let options: RepairOptions
    private let rules: [VerificationRule]
    private let pragmas: StorePragmas

    init(_ options: RepairOptions) throws(UsageError) {
        if options.output != nil, options.backup != nil { throw .conflict("--output", with: "--backup") }
        self.options = options
        pragmas = try StorePragmas(options.pragmas)
        rules = try VerifyRequest.rules(options.fixes, of: "--fix")
        for rule in rules where !rule.isRepairable {
            throw .badValue(rule.code, of: "--fix", expected: "a rule that can be repaired")
        }
    }

    func run() throws -> ExitStatus {
        Cancellation.watchSignals()
        let path = options.operands[0]
        var settings = StoreRepair.Options()
        settings.output = options.output
        settings.backup = options.backup
        settings.isDryRun = options.isDryRun
        settings.keep = options.keep.survivor
        settings.exampleLimit = options.limit
        settings.pragmas = pragmas
        settings.isCancelled = { Cancellation.isRequested }
        settings.onCheckpoint = CrashInjection.checkpoint
        let report = try run(path, settings)
        if options.isJSON {
            Console.print(try JSONText.text(report))
        } else {
            Console.print(report.description)
            if options.showsSQL {
                Console.print(report.repairs.compactMap { $0.sql.map { $0 + ";\n" } }.joined())
            }
        }
        return !report.notes.isEmpty || report.remaining.contains { $0.severity >= .warning } ? .findings : .done
    }

    private func run(_ path: String, _ settings: StoreRepair.Options) throws -> RepairReport {
        let catalog = try VersionCatalog(paths: options.models, sources: options.sources.selection)
        if try PersistentStoreRegistry.standard.isAtomic(path) {
            try pragmas.check(for: PersistentStoreRegistry.standard.type(at: path))
            let version = try catalog.sourceVersion(
                of: PersistentStoreRegistry.standard.metadata(at: path), at: path, named: options.version,
                configuration: options.configuration)
            return try AtomicStoreRepair(path: path, version.newStore, rules: rules, options: settings).run()
        }
        let version = try catalog.sourceVersion(
            of: SQLiteStore(path: path), named: options.version, configuration: options.configuration)
        return try StoreRepair(path: path, model: version.model, rules: rules, options: settings).run()
    }
}
