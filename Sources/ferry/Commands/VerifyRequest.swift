import CommandLineParsing
import PersistentStores
import StoreMigration
import StoreVerification

/// A verification as asked for, its options checked.
struct VerifyRequest {
    private let options: VerifyOptions
    private let rules: Set<VerificationRule>

    init(_ options: VerifyOptions) throws(UsageError) {
        self.options = options
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
        Cancellation.watchSignals()
        let store = try SQLiteStore(path: options.operands[0])
        let catalog = try VersionCatalog(paths: options.models)
        var settings = StoreVerifier.Options()
        settings.rules = rules
        settings.exampleLimit = options.limit
        settings.isCancelled = { Cancellation.isRequested }
        var unknown: VerificationFinding?
        var version: VersionedModel?
        do {
            version = try catalog.sourceVersion(
                of: store, named: options.version, configuration: options.configuration)
        } catch let error as MigrationError {
            guard options.version == nil, options.configuration == nil, case .unknownVersion(let reason) = error.code
            else { throw error }
            unknown = VerificationFinding.unknownModel(reason.description)
        }
        let verifier = StoreVerifier(
            store, model: version?.model, named: version?.name,
            hashes: options.version == nil ? [:] : version?.hashes ?? [:], options: settings)
        let report = try verifier.verify(with: unknown.map { [$0] } ?? [])
        let isJSON = options.isJSON || options.format == .json
        Console.print(isJSON ? try JSONText.text(report) : report.description)
        return report.severity.map { $0 >= .warning } ?? false ? .findings : .done
    }
}
