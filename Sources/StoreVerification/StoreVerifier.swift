public import ManagedObjectModels
public import PersistentStores
import SQLiteAccess

/// Checks a store for faults; writes nothing, and reads nothing outside the store.
///
/// Each table is read once, regardless of the number of rules; memory does not grow with the number of rows.
public struct StoreVerifier {
    /// Options of a verification.
    public struct Options: Sendable {
        /// The rules to check; empty for all.
        public var rules: Set<VerificationRule> = []

        /// The maximum number of objects that a finding names.
        public var exampleLimit = 10

        /// Internal limits, which tests change.
        var fixedLimits = VerificationLimits()

        /// Called from time to time; if it returns true, the verification ends with an error.
        public var isCancelled: (@Sendable () -> Bool)?

        /// Called before each table.
        public var onProgress: (@Sendable (VerificationProgress) -> Void)?

        /// Makes the default options: all rules are checked, and a finding names up to ten objects.
        public init() {}
    }

    let store: SQLiteStore
    let model: ResolvedModel?
    let modelName: String?
    let hashes: [String: [UInt8]]
    let objectEntities: Set<String>?
    let options: Options

    /// The files of the store, also if a copy of it is verified.
    let files: StoreFiles

    /// Prepares the verification of a store.
    /// - Parameters:
    ///   - store: a store opened for reading.
    ///   - model: the model version of the store; if nil, only rules that need no model are checked.
    ///   - modelName: the name of the version, for the report.
    ///   - hashes: the version's hashes by entity, which the store's are compared with; empty if unknown.
    ///   - objectEntities: the entities whose objects the store's configuration allows; nil for all.
    ///   - files: the files of the original, with its external data, if the store is a copy; nil otherwise.
    ///   - options: the options of the verification.
    public init(
        _ store: SQLiteStore, model: ResolvedModel?, named modelName: String? = nil, hashes: [String: [UInt8]] = [:],
        objectEntities: Set<String>? = nil, files: StoreFiles? = nil, options: Options = Options()
    ) {
        self.files = files ?? store.files
        self.store = store
        self.model = model
        self.modelName = modelName
        self.hashes = hashes
        self.objectEntities = objectEntities
        self.options = options
    }

    func isAsked(_ rule: VerificationRule) -> Bool {
        options.rules.isEmpty || options.rules.contains(rule)
    }

    /// Checks all rules.
    ///
    /// - Parameter known: findings of the caller.
    /// - Throws: `StoreError` if the store cannot be read at all; damage is a finding.
    public func verify(with known: [VerificationFinding] = []) throws -> VerificationReport {
        let start = ContinuousClock.now
        store.connection.onProgress(everyInstructions: 100_000, options.isCancelled)
        defer { store.connection.onProgress(everyInstructions: 100_000, nil) }
        try? store.connection.execute("PRAGMA cache_size = -\(options.fixedLimits.pages); PRAGMA temp_store = FILE")
        var findings = known + StoreFileChecks(verifier: self).findings()
        var rows: Int64 = 0
        findings += try guarded("the bookkeeping") { try BookkeepingChecks(verifier: self).findings() }
        if isAsked(.importInterrupted), (try? InterruptedImport.isPresent(in: store.connection)) == true {
            findings.append(VerificationFinding(.importInterrupted))
        }
        if let model {
            let layout = store.layout(for: model)
            findings += SchemaChecks(verifier: self, layout: layout).findings()
            let content = ContentChecks(verifier: self, layout: layout)
            findings += try content.findings()
            rows = content.rows
        }
        let order = VerificationRule.allCases
        let asked = findings.enumerated().filter { $0.element.rule.map(isAsked) ?? true }
        let sorted = asked.sorted { left, right in
            let (first, second) = (left.element.rule, right.element.rule)
            let (a, b) = (first.flatMap(order.firstIndex) ?? 0, second.flatMap(order.firstIndex) ?? 0)
            return (a, left.offset) < (b, right.offset)
        }
        let time = (ContinuousClock.now - start).components
        return VerificationReport(
            store: store.files.path, storeUUID: store.metadata.uuid, model: model == nil ? nil : modelName ?? "named",
            findings: sorted.map(\.element), rows: rows,
            seconds: Double(time.seconds) + Double(time.attoseconds) / 1e18)
    }

    /// Runs a check; if damage stops it, returns that as a finding.
    func guarded(
        _ subject: String, _ check: () throws -> [VerificationFinding]
    ) throws -> [VerificationFinding] {
        do {
            return try check()
        } catch let error as SQLiteError {
            if error.isInterrupted || error.isBusy || error.isLockFault {
                throw StoreError(error, path: store.files.path)
            }
            return [VerificationFinding(.databaseDamaged, subject: subject, detail: error.message)]
        }
    }
}
