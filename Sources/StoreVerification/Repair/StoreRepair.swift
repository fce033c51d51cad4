public import ManagedObjectModels
import ObjectValidation
public import PersistentStores
import SQLiteAccess

/// Repairs faults of selected rules on a copy of a store, which is verified before it replaces the store.
///
/// Nothing is removed unless a selected rule does so. If the process is killed at any point, the store is the old one
/// or the new one.
public struct StoreRepair {
    /// Options of a repair.
    public struct Options {
        /// The path of the repaired store; nil to replace the store.
        public var output: String?

        /// The folder for a copy of the old files; nil for no copy.
        public var backup: String?

        /// Whether the copy is discarded at the end.
        public var isDryRun = false

        /// Which of several objects with equal values is kept.
        public var keep = Survivor.first

        /// The maximum number of objects that a repair names.
        public var exampleLimit = 10

        /// How long to wait for another process's lock, in milliseconds.
        public var timeout: Int32 = LockTimeout.milliseconds

        /// Settings for the repaired store; it keeps its other settings.
        public var pragmas = StorePragmas()

        /// Called while the store and the repaired copy are checked.
        public var onProgress: (@Sendable (VerificationProgress) -> Void)?

        /// Called from time to time; if it returns true, the operation ends and nothing has changed.
        public var isCancelled: (@Sendable () -> Bool)?

        /// Called after each step that changes the files on disk.
        public var onCheckpoint: ((String) -> Void)?

        /// Makes the default options: the store is replaced, without a backup.
        public init() {}
    }

    let unit: StoreUnit
    let model: ResolvedModel
    let rules: Set<VerificationRule>
    let options: Options

    /// Prepares the repair of a store.
    /// - Throws: `StoreError` if the store does not exist; `RepairError` for a rule that cannot be repaired.
    public init(
        path: String, model: ResolvedModel, rules: [VerificationRule], options: Options = Options()
    ) throws {
        if let rule = rules.first(where: { !$0.isRepairable }) {
            throw RepairError(code: .notRepairable(rule.code), path: path)
        }
        var unitOptions = StoreUnit.Options()
        unitOptions.timeout = options.timeout
        unitOptions.isCancelled = options.isCancelled
        unit = try StoreUnit(path: path, followsLinks: true, options: unitOptions)
        self.model = model
        self.rules = Set(rules)
        self.options = options
    }

    private var files: StoreFiles { unit.files }

    /// Repairs, verifies, and replaces.
    /// - Throws: `StoreError` if the store is in use, has changed meanwhile or cannot be written, or if the output
    ///   exists already; `RepairError` if a repair is refused. The store is unchanged in these cases.
    public func run() throws -> RepairReport {
        if options.output == nil, !options.isDryRun {
            _ = try JournalRecovery.rollBack(files, timeout: options.timeout)
        }
        let fingerprint = StoreFingerprint(of: files, isSettled: true)
        let before = try report(files.path)
        // In the destination's folder: a file that is renamed at the end must be on the same device.
        let destination = options.output.map { StoreFiles(followingLinks: $0) } ?? files
        if options.output != nil, FileSystem.isThere(destination.path) {
            throw StoreError.taken(destination.path, by: [files.path])
        }
        let staged = try StagedFile(for: destination.path, isPrivate: true)
        options.onCheckpoint?("staging file")
        try unit.fill(staged, fingerprint)
        let repairs = try repair(staged.path)
        options.onCheckpoint?("repaired")
        let after = try report(staged.path)
        try check(after, against: before)
        options.onCheckpoint?("verified")
        let unused = rules.contains(.externalFileUnused) ? ExternalFileInventory.unusedNames(after) : []
        var done = repairs
        if !unused.isEmpty {
            done.append(
                .init(
                    rule: VerificationRule.externalFileUnused.code, subject: files.externalDataDirectory,
                    count: Int64(unused.count), removes: true,
                    examples: Array(unused.prefix(options.exampleLimit)), sql: nil))
        }
        let remaining = after.findings.compactMap { ExternalFileInventory.finding($0, without: unused) }
        var notes = ExternalFileInventory.notes(on: rules.contains(.externalFileUnused) ? remaining : [])
        if !options.isDryRun, !done.isEmpty || options.output != nil {
            notes += try place(staged, at: destination, fingerprint, without: unused)
        }
        return RepairReport(
            store: files.path, result: destination.path, isDryRun: options.isDryRun, repairs: done,
            remaining: remaining.map { $0.limited(to: options.exampleLimit) }, notes: notes)
    }

    /// Returns the verification report of the store, or of its copy.
    private func report(_ path: String) throws -> VerificationReport {
        var settings = StoreVerifier.Options()
        // All unused files must be known if they are to be removed.
        settings.exampleLimit = rules.contains(.externalFileUnused) ? 1_000_000 : options.exampleLimit
        settings.isCancelled = options.isCancelled
        settings.onProgress = options.onProgress
        // The copy itself is not a leftover, and leftovers of earlier runs have been removed for it.
        settings.rules = Set(VerificationRule.allCases).subtracting([.leftoverFile])
        let store = try SQLiteStore(path: path, timeout: options.timeout)
        return try StoreVerifier(store, model: model, files: files, options: settings).verify()
    }

    // MARK: The copy

    private func repair(_ path: String) throws -> [RepairReport.Repair] {
        let store = try SQLiteStore(path: path, access: .readWrite, timeout: options.timeout)
        let connection = store.connection
        // Triggers of others must not run; the effects of those for derived attributes are made up for at the end.
        connection.setTriggersEnabled(false)
        connection.onProgress(everyInstructions: 100_000, options.isCancelled)
        try connection.execute("PRAGMA synchronous = OFF; PRAGMA temp_store = FILE")
        let verifier = StoreVerifier(store, model: model, files: files)
        let content = ContentChecks(verifier: verifier, layout: store.layout(for: model))
        let planner = RepairPlanner(
            content: content, tests: try ValueTests(connection), external: ExternalFileInventory(of: files),
            keep: options.keep)
        var repairs: [RepairReport.Repair] = []
        try connection.execute("BEGIN IMMEDIATE")
        guard try !InterruptedImport.isPresent(in: connection) else {
            throw StoreError(.importInterrupted, path: self.files.path)
        }
        for rule in VerificationRule.repairable
        where rules.contains(rule) || (rule == .derivedValueStale && !repairs.isEmpty) {
            for step in try planner.steps(for: rule) {
                if let done = try run(step, content) { repairs.append(done) }
            }
        }
        try connection.execute("COMMIT")
        if !options.pragmas.isEmpty { try options.pragmas.applyToFile(connection) }
        try connection.close()
        return repairs
    }

    private func run(_ step: RepairStep, _ content: ContentChecks) throws -> RepairReport.Repair? {
        let connection = content.connection
        do throws(SQLiteError) {
            var examples: [String] = []
            if let objects = step.objects {
                let rows = try connection.rows("\(objects.select) ORDER BY 1 LIMIT \(options.exampleLimit)")
                if rows.isEmpty, options.exampleLimit > 0 { return nil }
                if let table = content.layout.tables.first(where: { $0.root == objects.root }) {
                    examples = rows.map { content.uri($0[0].integer ?? 0, entity: $0[1].integer ?? 0, in: table) }
                }
            }
            let before = connection.totalChanges
            try connection.execute(step.sql)
            let isSchema = step.sql.hasPrefix("CREATE") || step.sql.hasPrefix("REINDEX")
            let count = isSchema ? 1 : connection.totalChanges - before
            guard count > 0 else { return nil }
            return RepairReport.Repair(
                rule: step.rule.code, subject: step.subject, count: count, removes: step.removes, examples: examples,
                sql: step.sql)
        } catch {
            if error.isBusy || error.isLockFault || error.isFull || error.isInterrupted || error.isCorrupt {
                throw StoreError(error, path: files.path)
            }
            throw RepairError(code: .refused(error.message, sql: step.sql), path: files.path)
        }
    }

    /// Checks that the repair has caused no new faults.
    private func check(_ after: VerificationReport, against before: VerificationReport) throws(RepairError) {
        func counts(_ report: VerificationReport) -> [String: Int64] {
            report.findings.filter { $0.severity == .error }.reduce(into: [:]) { $0[$1.code, default: 0] += $1.count }
        }
        let old = counts(before)
        let grown = counts(after).filter { $0.value > old[$0.key] ?? 0 }.keys.sorted()
        guard grown.isEmpty else { throw RepairError(code: .newFaults(grown), path: files.path) }
    }

    // MARK: The store's place

    private func place(
        _ staged: StagedFile, at destination: StoreFiles, _ fingerprint: StoreFingerprint, without unused: [String]
    ) throws -> [String] {
        let lost = staged.adoptAttributes(of: files.path)
        var notes =
            lost.isEmpty
            ? [] : ["the new file does not have the old one's \(lost.map(\.rawValue).joined(separator: ", "))"]
        func note(_ error: FileError?) {
            if let error { notes.append(error.durabilityNote(destination.path)) }
        }
        try staged.synchronize()
        if options.output != nil {
            _ = try ExternalDataCopy.copy(from: files, to: destination, isCancelled: options.isCancelled)
            guard StoreFingerprint(of: files) == fingerprint else { throw StoreError(.changed, path: files.path) }
            note(try staged.move(to: destination.path, replacing: false))
        } else {
            let backup = try options.backup.map { try StoreBackup(of: files, in: $0, isCancelled: options.isCancelled) }
            try backup?.make(isCancelled: options.isCancelled, onStep: options.onCheckpoint)
            let lock = try ReplacementLock(on: files, unchangedSince: fingerprint, timeout: options.timeout) {
                StoreError(.changed, path: files.path)
            }
            do {
                note(try staged.replace(lock))
            } catch {
                lock.abandon()
                throw error
            }
            backup?.keep()
            lock.release()
        }
        options.onCheckpoint?("renamed")
        let removed = Set(unused)
        for name in (try? FileSystem.names(in: destination.externalDataDirectory)) ?? []
        where removed.contains(name.uppercased()) {
            do {
                try FileSystem.remove(destination.externalDataDirectory + "/" + name)
            } catch {
                notes.append("\(error)")
            }
        }
        return notes
    }
}
