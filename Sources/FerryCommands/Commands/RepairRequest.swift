import CommandLineParsing
import PersistentStores
import StoreConversion
import StoreFleets
import StoreMigration
import StoreVerification

/// A request to repair a store, whose options have been checked against each other.
struct RepairRequest {
    private let options: RepairOptions
    private let rules: [VerificationRule]
    private let pragmas: StorePragmas

    init(_ options: RepairOptions) throws(UsageError) {
        if options.output != nil, options.backup != nil { throw .conflict("--output", with: "--backup") }
        if let output = options.output { try CommandOutput.checkIsPath(output, "a store") }
        self.options = options
        pragmas = try StorePragmas(options.pragmas)
        rules = try VerifyRequest.rules(options.fixes, of: "--fix")
        for rule in rules where !rule.isRepairable {
            throw .badValue(rule.code, of: "--fix", expected: "a rule that can be repaired")
        }
    }

    func run(_ watch: ProgressWatch) throws -> ExitStatus {
        Cancellation.watchSignals()
        var settings = StoreRepair.Options()
        settings.output = options.output
        settings.backup = options.backup
        settings.isDryRun = options.isDryRun
        settings.keep = options.keep.survivor
        settings.exampleLimit = options.limit
        settings.pragmas = pragmas
        settings.isCancelled = { Cancellation.isRequested }
        settings.onProgress = { watch.count($0.rowsDone, of: $0.rowsTotal, in: $0.table) }
        settings.onCheckpoint = watch.checkpoint
        let path = options.operands[0]
        if try PersistentStoreRegistry.standard.isAtomic(path) {
            try pragmas.check(for: PersistentStoreRegistry.standard.type(at: path))
        }
        let catalog = try VersionCatalog(paths: options.models, sources: options.sources.selection)
        let report = try catalog.repair(
            storeAt: path, rules: rules, named: options.version, configuration: options.configuration,
            options: settings)
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
}
