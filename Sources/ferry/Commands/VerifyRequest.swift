import CommandLineParsing
import PersistentStores
import StoreConversion
import ReportPages
import StoreMigration
import StoreVerification

/// A verification as asked for, its options checked.
struct VerifyRequest {
    private let options: VerifyOptions
    private let rules: Set<VerificationRule>

    init(_ options: VerifyOptions) throws(UsageError) {
        self.options = options
        if options.isForced, options.report == nil { throw .dependent("--force", on: "--report") }
        rules = try Set(Self.rules(options.rules, of: "--rule"))
    }

    /// The rules with these codes.
    static func rules(_ codes: [String], of option: String) throws(UsageError) -> [VerificationRule] {
        var rules: [VerificationRule] = []
        for code in codes {
            guard let rule = VerificationRule(rawValue: code) else {
                throw .badValue(
                    code, of: option, expected: "the code of a rule", among: VerificationRule.allCases.map(\.code))
            }
            rules.append(rule)
        }
        return rules
    }

    func run() throws -> ExitStatus {
        if let report = options.report { try OutputFile.check(report, isReplacing: options.isForced) }
        Cancellation.watchSignals()
        let path = options.operands[0]
        // What is not a store at all is for SQLite's words to say.
        let isAtomic = try PersistentStoreRegistry.standard.isAtomic(path)
        let catalog = try VersionCatalog(paths: options.models, sources: options.sources.selection)
        var settings = StoreVerifier.Options()
        settings.rules = rules
        settings.exampleLimit = options.limit
        settings.isCancelled = { Cancellation.isRequested }
        let (report, version) = try isAtomic ? atomicReport(path, catalog, settings) : report(path, catalog, settings)
        let isJSON = options.isJSON || options.format == .json
        if let path = options.report {
            try ReportFile.write(
                to: path, isReplacing: options.isForced, json: JSONText.text(report),
                page: ReportPage(report, version: version, tool: ReportFile.tool))
        }
        Console.print(isJSON ? try JSONText.text(report) : report.description)
        return report.severity.map { $0 >= .warning } ?? false ? .findings : .done
    }

    private func report(
        _ path: String, _ catalog: VersionCatalog, _ settings: StoreVerifier.Options
    ) throws -> (VerificationReport, VersionedModel?) {
        let store = try SQLiteStore(path: path)
        let (version, unknown) = try version {
            try catalog.sourceVersion(of: store, named: options.version, configuration: options.configuration)
        }
        let report = try StoreVerifier(
            store, model: version?.model, named: version?.name, hashes: namedHashes(version),
            objectEntities: version?.newStore.objectEntities, options: settings
        ).verify(with: unknown)
        return (report, version)
    }

    private func atomicReport(
        _ path: String, _ catalog: VersionCatalog, _ settings: StoreVerifier.Options
    ) throws -> (VerificationReport, VersionedModel?) {
        let metadata = try PersistentStoreRegistry.standard.metadata(at: path)
        let (version, unknown) = try version {
            try catalog.sourceVersion(
                of: metadata, at: path, named: options.version, configuration: options.configuration)
        }
        let report = try AtomicStoreVerifier(
            path: path, version?.newStore, named: version?.name, hashes: namedHashes(version), options: settings
        ).verify(with: unknown)
        return (report, version)
    }

    /// The store's version, or the finding that it is unknown.
    private func version(_ find: () throws -> VersionedModel) throws -> (VersionedModel?, [VerificationFinding]) {
        do {
            return (try find(), [])
        } catch let error as MigrationError {
            guard options.version == nil, options.configuration == nil, case .unknownVersion(let reason) = error.code
            else { throw error }
            return (nil, [VerificationFinding.unknownModel(reason.description)])
        }
    }

    /// The hashes of a version that somebody named; they may not be the store's.
    private func namedHashes(_ version: VersionedModel?) -> [String: [UInt8]] {
        options.version == nil ? [:] : version?.hashes ?? [:]
    }
}
