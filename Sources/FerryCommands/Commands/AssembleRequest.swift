import CommandLineParsing
import FoundationEssentials
import KeyedArchives
import PersistentStores
import ReportPages
import StoreConversion
import StoreImport
import StoreMigration

/// A request to assemble a store from spools.
struct AssembleRequest {
    private let options: AssembleOptions
    private let store: String
    private let pragmas: StorePragmas
    private let standard: StandardDocument

    init(_ options: AssembleOptions) throws(UsageError) {
        guard let store = options.store else { throw .missing("--store STORE") }
        if let maximum = options.maximumRejects, maximum < 0 {
            throw .badValue(String(maximum), of: "--max-rejects", expected: "0 or more")
        }
        if PersistentStoreRegistry.standard.type(ofNewStore: store) != .sqlite {
            throw .badValue(store, of: "--store", expected: "a SQLite store; convert it to another type then")
        }
        standard = try StandardDocument(
            [("--report", options.report), ("--rejects", options.rejects)], [("--json", options.isJSON)])
        self.options = options
        self.store = store
        pragmas = try StorePragmas(options.pragmas)
    }

    func run() throws -> ExitStatus {
        if let report = options.report { try CommandOutput.check(report, isReplacing: options.isForced) }
        let printer = ProgressPrinter(mode: options.progress)
        defer { printer.finish() }
        Cancellation.watchSignals()
        let spools = try ImportSpools(options.operands)
        var settings = ImportOptions(isDryRun: options.isDryRun, maximumRejects: options.maximumRejects)
        settings.stopsAtFirstFault = options.stopsAtFirstFault
        settings.writer = options.writer
        settings.pragmas = pragmas
        let rejects = try RejectsPlace(options.rejects)
        settings.rejectsDirectory = rejects.directory
        settings.replacesRejects = options.isForced
        settings.onCheckpoint = CrashInjection.checkpoint
        settings.isCancelled = { Cancellation.isRequested }
        settings.onProgress = { records, source in
            printer.show(stage: "assembling", table: source, rowsDone: records, rowsTotal: nil)
        }
        let report: ImportReport
        do {
            report = try spools.assemble(
                into: store, uuid: (options.uuid?.uuid ?? UUID()).uuidString, options: settings)
            printer.finish()
            try rejects.finish()
        } catch {
            printer.finish()
            try? rejects.finish()
            throw error
        }
        if let path = options.report {
            try ReportFile.write(
                to: path, isReplacing: options.isForced, json: JSONText.text(report),
                page: ReportPage(report, version: version(of: spools.target), tool: ReportFile.tool))
        }
        standard.say(options.isJSON ? try JSONText.text(report) : report.description)
        return report.hasFindings ? .findings : .done
    }

    private func version(of target: ImportRun.Target) -> VersionedModel {
        let metadata = target.newStore.metadata
        return VersionedModel(
            name: target.versionName, path: "", model: target.model, hashes: metadata.versionHashes,
            digest: metadata.entries[StoreMetadata.Key.versionHashesDigest]?.string ?? "",
            checksum: metadata.entries[StoreMetadata.Key.versionChecksum]?.string ?? "")
    }
}
