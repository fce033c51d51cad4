import CommandLineParsing
import FoundationEssentials
import ImportMappings
import ManagedObjectModels
import PersistentStores
import ReportPages
import StoreImport
import StoreMigration

/// A request to import records, whose options have been checked against each other.
struct ImportRequest {
    private let options: ImportCommandOptions
    private let store: String
    /// The name of the store in messages, if this store stands for another one.
    private let shownStore: String?
    private let pragmas: StorePragmas
    private let standard: StandardDocument

    /// - Parameter shownStore: the name of the store in messages; nil for its path.
    init(_ options: ImportCommandOptions, shownAs shownStore: String? = nil) throws(UsageError) {
        self.options = options
        self.shownStore = shownStore
        guard let store = options.store else { throw .missing("--store STORE") }
        // An existing store may contain its model.
        if options.models.isEmpty, !FileSystem.exists(store) { throw .missing("--models PATH") }
        try options.checkPlan()
        if options.uuid != nil, FileSystem.isThere(store) {
            throw .badValue(store, of: "--store", expected: "a new store with --uuid")
        }
        if options.isResuming, options.commit != .batch { throw .dependent("--resume", on: "--commit batch") }
        if options.isResuming, options.isDryRun { throw .conflict("--resume", with: "--dry-run") }
        if let maximum = options.maximumRejects, maximum < 0 {
            throw .badValue(String(maximum), of: "--max-rejects", expected: "0 or more")
        }
        standard = try StandardDocument(
            [("--report", options.report), ("--rejects", options.rejects)], [("--json", options.isJSON)])
        if options.rejects == CommandOutput.standard, options.commit == .batch {
            // A run that continues the import must find its files.
            throw .conflict("--rejects -", with: "--commit batch")
        }
        if let report = options.report, report != CommandOutput.standard,
            !FileSystem.isDirectory(FileSystem.directory(of: report))
        {
            throw .badValue(report, of: "--report", expected: "a file in a folder that is there")
        }
        if options.writer == .builder, options.commit == .batch {
            throw .conflict("--writer builder", with: "--commit batch")
        }
        if options.operands.filter({ $0 == "-" }).count > 1 {
            throw .badOperand("-", expected: "standard input only once")
        }
        self.store = store
        pragmas = try StorePragmas(options.pragmas)
    }

    /// Returns the version of the existing store, or else the version that the new store is to have.
    private func version(in catalog: VersionCatalog) throws -> VersionedModel {
        if FileSystem.exists(store) {
            return try catalog.sourceVersion(
                of: try SQLiteStore(path: store, shownAs: shownStore), named: options.version,
                configuration: options.configuration)
        }
        let whole = try catalog.version(forNewStore: options.version)
        return try options.configuration.map { try whole.limited(to: $0) } ?? whole
    }

    func run() throws -> ExitStatus {
        if let report = options.report { try CommandOutput.check(report, isReplacing: options.isForced) }
        let catalog = try VersionCatalog(
            paths: options.models, isMerging: options.isMerging,
            sources: options.sources.selection)
        let version = try version(in: catalog)
        let localization = try catalog.localization(of: version.path, language: options.language)
        catalog.warnings.forEach { Console.note("warning: \($0)\n") }
        let document = try options.mapping.map { try ImportMappingReader.read(path: $0) }
        let plan = try options.plan(for: version.model, document)
        var newStore = version.newStore
        newStore.metadata.uuid = (options.uuid?.uuid ?? UUID()).uuidString
        let printer = ProgressPrinter(mode: options.progress)
        defer { printer.finish() }
        Cancellation.watchSignals()
        var importOptions = options.importOptions(printer)
        importOptions.isDryRun = options.isDryRun
        importOptions.commit = options.commit
        importOptions.maximumRejects = options.maximumRejects
        importOptions.stopsAtFirstFault = options.stopsAtFirstFault
        importOptions.isResuming = options.isResuming
        importOptions.maximumDeletes = options.maximumDeletes?.limit ?? .careful
        importOptions.writer = options.writer
        importOptions.pragmas = pragmas
        importOptions.localization = localization
        let rejects = try RejectsPlace(options.rejects)
        importOptions.rejectsDirectory = rejects.directory
        importOptions.replacesRejects = options.isForced
        let importRun = ImportRun(
            target: .init(path: store, model: version.model, newStore: newStore, shownAs: shownStore),
            sources: options.operands, plan: plan, options: importOptions)
        let report: ImportReport
        do {
            report = try importRun.run()
            try rejects.finish()
        } catch let error as ImportPlanError {
            // Errors that are only found when sources are opened also have a place in the mapping.
            try? rejects.finish()
            throw document?.located(error) ?? error
        } catch {
            printer.finish()
            try? rejects.finish()
            throw error
        }
        printer.finish()
        if let path = options.report {
            try ReportFile.write(
                to: path, isReplacing: options.isForced, json: JSONText.text(report),
                page: ReportPage(report, version: version, tool: ReportFile.tool))
        }
        standard.say(options.isJSON ? try JSONText.text(report) : report.description)
        return report.hasFindings ? .findings : .done
    }
}
