import CommandLineParsing
import ImportMappings
import PersistentStores
import StoreImport
import StoreMigration

/// A request to run a shard of an import: its records are converted and stored in a spool, and no store is opened.
struct SpoolRequest {
    private let options: ImportCommandOptions
    private let folder: String
    private let shard: ImportShard

    init(_ options: ImportCommandOptions) throws(UsageError) {
        self.options = options
        guard let folder = options.spool else { throw .dependent("--shard", on: "--spool DIR") }
        guard let shard = options.shard else { throw .missing("--shard I/N") }
        if options.models.isEmpty { throw .missing("--models PATH") }
        guard let part = ImportShard(shard.number, of: shard.count) else {
            throw .badValue(shard.argument, of: "--shard", expected: "at most \(ImportShard.largestCount) shards")
        }
        for (name, isGiven) in Self.otherOptions(options) where isGiven { throw .conflict(name, with: "--spool") }
        try options.checkPlan()
        self.folder = folder
        self.shard = part
    }

    /// Returns the options that concern the store, and therefore belong to `ferry assemble`.
    private static func otherOptions(_ options: ImportCommandOptions) -> [(String, Bool)] {
        [
            ("--store", options.store != nil), ("--store-type", options.storeType != nil),
            ("--rejects", options.rejects != nil), ("--max-rejects", options.maximumRejects != nil),
            ("--first-fault", options.stopsAtFirstFault),
            ("--max-deletes", options.maximumDeletes != nil), ("--commit batch", options.commit == .batch),
            ("--resume", options.isResuming), ("--abandon", options.isAbandoning),
            ("--writer", options.writer != .auto), ("--pragma", !options.pragmas.isEmpty),
            ("--report", options.report != nil), ("--dry-run", options.isDryRun),
            ("--draft-mapping", options.isDraft), ("--uuid", options.uuid != nil),
        ]
    }

    func run() throws -> ExitStatus {
        let catalog = try VersionCatalog(
            paths: options.models, isMerging: options.isMerging, sources: options.sources.selection)
        let whole = try catalog.version(forNewStore: options.version)
        let version = try options.configuration.map { try whole.limited(to: $0) } ?? whole
        catalog.warnings.forEach { Console.note("warning: \($0)\n") }
        let document = try options.mapping.map { try ImportMappingReader.read(path: $0) }
        let plan = try options.plan(for: version.model, document)
        let printer = ProgressPrinter(mode: options.progress)
        defer { printer.finish() }
        Cancellation.watchSignals()
        var importOptions = options.importOptions(printer)
        importOptions.localization = try catalog.localization(of: version.path, language: options.language)
        let run = ImportRun(
            target: .init(
                path: "", model: version.model, newStore: version.newStore, versionName: version.name),
            sources: options.operands, plan: plan, options: importOptions)
        let report: ImportRun.SpoolReport
        do {
            report = try run.spool(
                to: folder, shard, hasMoment: options.now != nil, isReplacing: options.isForced)
        } catch let error as ImportPlanError {
            throw document?.located(error) ?? error
        }
        printer.finish()
        Console.print(options.isJSON ? try JSONText.text(report) : report.description)
        return .done
    }
}
