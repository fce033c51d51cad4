public import ManagedObjectModels
import PersistentStores
import PredicateExpressions
import SQLiteAccess
public import ValueTransformers

/// Changes the objects of a SQLite store as a save of an app would: in one transaction, by the rules of the model.
///
/// Delete rules are applied, inverses are updated, and all changed objects are validated before the commit. An edit
/// that violates a rule changes nothing. Memory does not grow with the number of objects.
public struct StoreEditor {
    /// Options of an edit.
    public struct Options {
        /// Whether the transaction is rolled back at the end.
        public var isDryRun = false

        /// The folder for a copy of the old files; nil for no copy.
        public var backup: String?

        /// The maximum number of objects that the report names for each entity and each fault.
        public var exampleLimit = 10

        /// The value of `now()`, in seconds since 2001.
        public var now = ReferenceDate.now

        /// The value transformers for values that are given as JSON.
        public var transformers = ValueTransformerRegistry()

        /// How long to wait for another process's lock, in milliseconds.
        public var timeout: Int32 = LockTimeout.milliseconds

        /// Called from time to time; if it returns true, the operation ends and nothing has changed.
        public var isCancelled: (@Sendable () -> Bool)?

        /// Called after each step that changes the files on disk.
        public var onCheckpoint: ((String) -> Void)?

        /// Whether the keys of new objects of all entities are from a single sequence, as in a store that is one file.
        package var hasOneNumbering = false

        /// The sizes in which the parts of an edit are processed.
        var fixedLimits = EditLimits()

        /// Makes the default options: the store is changed, without a backup.
        public init() {}
    }

    private let path: String
    private let model: ResolvedModel
    private let options: Options

    /// Prepares to edit a store.
    /// - Parameters:
    ///   - path: the path of the store.
    ///   - model: the model version of the store.
    ///   - options: the options of the edit.
    public init(path: String, model: ResolvedModel, options: Options = Options()) {
        self.path = path
        self.model = model
        self.options = options
    }

    /// Runs the steps, each on the result of the preceding ones.
    ///
    /// - Returns: a report of the changes; if the edit violates rules, the report contains faults, and nothing was
    ///   changed.
    /// - Throws: `EditError` for an invalid step, `StoreError`; the store is then unchanged.
    public func run(_ steps: [EditStep]) throws -> EditReport {
        // Transformer programs may be slow, so they run before the store is locked.
        let steps = try steps.map { try $0.transformed(by: options.transformers, in: model) }
        return try run(EditSteps(steps: steps))
    }

    /// Inserts new objects, in the same way as `run` does steps.
    package func insert(_ rows: RowInsertion) throws -> EditReport { try run(rows) }

    func run(_ work: some EditWork) throws -> EditReport {
        let files = StoreFiles(followingLinks: path)
        let isKept = options.backup != nil && !options.isDryRun
        if isKept { _ = try JournalRecovery.rollBack(files, timeout: options.timeout) }
        // If another process writes between the backup and the lock, the backup is outdated.
        let fingerprint = isKept ? StoreFingerprint(of: files) : nil
        let backup = isKept ? try makeBackup(of: files) : nil
        let store = try SQLiteStore(path: path, access: .readWrite, timeout: options.timeout)
        do {
            guard !store.connection.isReadOnly else { throw StoreError(.readOnly, path: path) }
            try prepare(store.connection)
            try work.opened(store.connection)
            let report = try attempts(work, on: store, fingerprint)
            if report.isValid { backup?.keep() } else { backup?.discard() }
            return report
        } catch {
            backup?.settle()
            throw (error as? SQLiteError).map { StoreError($0, path: path) } ?? error
        }
    }

    private func makeBackup(of files: StoreFiles) throws -> StoreBackup? {
        guard let folder = options.backup else { return nil }
        let backup = try StoreBackup(of: files, in: folder, isCancelled: options.isCancelled)
        try backup.make(isCancelled: options.isCancelled, onStep: options.onCheckpoint)
        return backup
    }

    private func prepare(_ connection: Connection) throws {
        // As on apps' connections, since triggers of others may have text in double quotes.
        connection.setLenientSchema(true)
        connection.onProgress(everyInstructions: 100_000, options.isCancelled)
        try connection.registerEditFunctions()
        try connection.execute("PRAGMA temp_store = FILE")
    }

    private func attempts(
        _ work: some EditWork, on store: SQLiteStore, _ fingerprint: StoreFingerprint?
    ) throws -> EditReport {
        do {
            return try attempt(work, on: store, fingerprint, isGuarded: true)
        } catch {
            guard let error = error as? SQLiteError, error.isConstraint else { throw error }
            // Values were equal for a moment, or still are; those that still are must all be reported.
            return try attempt(work, on: store, fingerprint, isGuarded: false)
        }
    }

    private func attempt(
        _ work: some EditWork, on store: SQLiteStore, _ fingerprint: StoreFingerprint?, isGuarded: Bool
    ) throws -> EditReport {
        let connection = store.connection
        let external = ExternalData(store: path, isDryRun: options.isDryRun)
        let layout = store.layout(for: model)
        do {
            try connection.execute(work.beginning)
            if let fingerprint, fingerprint != StoreFingerprint(of: store.files) {
                throw StoreError(.changed, path: path)
            }
            guard try !InterruptedImport.isPresent(in: connection) else {
                throw StoreError(.importInterrupted, path: path)
            }
            options.onCheckpoint?("locked")
            // Removes the leftovers of a killed run.
            try external.prune(connection, layout: layout)
            let transaction = try EditTransaction(store, layout, external, options)
            if !isGuarded { try transaction.constraints.release() }
            try work.run(transaction)
            options.onCheckpoint?("edited")
            var report = try transaction.finish(EditReport(store: path, isDryRun: options.isDryRun))
            try work.check(&report, connection)
            options.onCheckpoint?("validated")
            let isKept = report.isValid && !options.isDryRun
            try connection.execute(isKept ? "COMMIT" : "ROLLBACK")
            options.onCheckpoint?("ended")
            try work.ended(isKept: isKept)
            try external.prune(connection, layout: layout)
            return report
        } catch {
            if connection.isInTransaction { try? connection.execute("ROLLBACK") }
            try? external.prune(connection, layout: layout)
            throw error
        }
    }
}
