import CommandLineParsing
import PersistentStores
import StoreConversion
import StoreMigration

/// A request to convert stores.
struct ConvertRequest {
    private let options: ConvertOptions
    private let output: String
    private let pragmas: StorePragmas
    private let standard: StandardDocument

    init(_ options: ConvertOptions) throws(UsageError) {
        guard let output = options.output else { throw .missing("--output NEW") }
        try CommandOutput.checkIsPath(output, "a store")
        try CommandOutput.checkIsPath(options.idMap, "a table of keys", of: "--id-map")
        standard = try StandardDocument([("--report", options.report)], [("--json", options.isJSON)])
        if options.keepsIDs, options.operands.count > 1 { throw .conflict("--keep-ids", with: "several stores") }
        if options.keepsIDs, options.givesNewUUID { throw .conflict("--keep-ids", with: "--new-uuid") }
        pragmas = try StorePragmas(options.pragmas)
        self.options = options
        self.output = output
    }

    func run() throws -> ExitStatus {
        for path in [options.report, options.idMap].compactMap(\.self) {
            try CommandOutput.check(path, isReplacing: options.isForced)
        }
        let catalog = try VersionCatalog(
            paths: options.models, isMerging: options.isMerging,
            sources: options.sources.selection)
        let versions = try options.operands.map { path in
            try catalog.sourceVersion(ofStoreAt: path, named: options.version)
        }
        // Old stores of a configuration have only its entities; several of them together make a store of the whole
        // model.
        let wholes = try versions.map { try catalog.whole($0) }
        for (path, version) in zip(options.operands, wholes) where version.hashes != wholes[0].hashes {
            throw ConversionError(.otherVersion(version.name, first: wholes[0].name), path: path)
        }
        catalog.warnings.forEach { Console.note("warning: \($0)\n") }
        let isOneConfiguration = versions.allSatisfy { $0.configuration == versions[0].configuration }
        let whole = try isOneConfiguration ? catalog.completed(versions[0]) : wholes[0]
        let version = try options.configuration.map { try whole.limited(to: $0) } ?? whole
        let type = options.type?.type ?? PersistentStoreRegistry.standard.type(ofNewStore: output)
        try pragmas.check(for: type)
        let printer = ProgressPrinter(mode: options.progress)
        defer { printer.finish() }
        Cancellation.watchSignals()
        let converter = StoreConverter(
            sources: zip(options.operands, versions).map { .init(path: $0, model: $1.model) },
            target: .init(path: output, type: type, newStore: version.newStore),
            options: conversionOptions(printer))
        if options.isDryRun {
            Console.print(try converter.plan().description)
            return .done
        }
        let report = try converter.convert()
        printer.finish()
        if let path = options.report {
            try CommandOutput.write(JSONText.text(report), to: path, isReplacing: options.isForced)
        }
        standard.say(options.isJSON ? try JSONText.text(report) : report.description)
        return report.hasWarnings ? .findings : .done
    }

    private func conversionOptions(_ printer: ProgressPrinter) -> ConversionOptions {
        var result = ConversionOptions()
        result.keepsIDs = options.keepsIDs
        result.givesNewUUID = options.givesNewUUID
        result.vacuums = options.vacuums
        result.pragmas = pragmas
        result.writer = options.writer
        result.idMap = options.idMap
        result.replacesIDMap = options.isForced
        result.isCancelled = { Cancellation.isRequested }
        result.onCheckpoint = CrashInjection.checkpoint
        result.onProgress = { printer.show(stage: $0, table: $1, rowsDone: $2, rowsTotal: nil) }
        return result
    }
}
