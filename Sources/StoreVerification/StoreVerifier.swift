public import ManagedObjectModels
public import PersistentStores
import SQLiteAccess

/// Looks for everything that is wrong with a store; nothing is written, and nothing outside the store is read.
///
/// Each table is read once, whatever the number of rules; memory does not grow with the rows.
public struct StoreVerifier {
    /// What is looked for.
    public struct Options: Sendable {
        /// The rules to check; all where it is empty.
        public var rules: Set<VerificationRule> = []

        /// How many objects a finding names.
        public var exampleLimit = 10

        /// The limits that no one has to know of; tests set them.
        var fixedLimits = VerificationLimits()

        /// Asked now and then; true ends the work with an error.
        public var isCancelled: (@Sendable () -> Bool)?

        /// Called before each table.
        public var onProgress: (@Sendable (VerificationProgress) -> Void)?

        /// Makes options that check all rules, and name ten objects in a finding.
        public init() {}
    }

    let store: SQLiteStore
    let model: ResolvedModel?
    let modelName: String?
    let hashes: [String: [UInt8]]
    let objectEntities: Set<String>?
    let options: Options

    /// Where the store's files are; a copy that is verified is not among them.
    let files: StoreFiles

    /// Prepares the verification of a store.
    /// - Parameters:
    ///   - store: a store opened for reading.
    ///   - model: the version that the store was made with; without one only what needs none is checked.
    ///   - modelName: the name of the version, for the report.
    ///   - hashes: the version's hashes by entity, to hold the store's against; empty if they are not known.
    ///   - objectEntities: the entities of the configuration whose objects the store holds; nil if it may hold all.
    ///   - files: the files of the store where it is a copy of them, whose external data lie with these.
    ///   - options: what is looked for.
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

    /// Checks everything.
    ///
    /// - Parameter known: what the caller has found already.
    /// - Throws: `StoreError` where the store cannot be read at all; damage is a finding.
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

    /// Runs a check; where damage stops it, that is its finding.
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
