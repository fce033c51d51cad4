public import PersistentStores
import SQLiteAccess

extension MigrationManager {
    /// Executes the plan of a chain.
    ///
    /// - Parameters:
    ///   - plan: the plan, which must not be refused.
    ///   - fingerprint: the state of the store's files before the plan was computed.
    /// - Throws: `MigrationError` or `StoreError`; the store is not changed then.
    public func execute(_ plan: ChainPlan, unchangedSince fingerprint: StoreFingerprint) throws -> ChainReport {
        let history = ProgressHistory()
        var recording = options
        recording.onProgress = { [onProgress = options.onProgress] progress in
            history.record(stage: progress.stage.rawValue, rows: progress.rowsDone)
            onProgress?(progress)
        }
        var report = try MigrationManager(options: recording).perform(plan, unchangedSince: fingerprint)
        report.progress = history.samples
        return report
    }

    private func perform(_ plan: ChainPlan, unchangedSince fingerprint: StoreFingerprint) throws -> ChainReport {
        // In place, everything is done in one transaction, so there is nothing to continue.
        var isInPlace = false
        if case .inPlace = plan.first.placement { isInPlace = true }
        guard !plan.isSingle || (options.resumes && !plan.isUpToDate && !isInPlace) else {
            let report = try execute(plan.first, unchangedSince: fingerprint)
            var step = ChainReport.Step(plan.steps[0])
            step.migration = report
            return ChainReport(plan, [step], resumedAt: nil, seconds: report.seconds)
        }
        return try ChainMigration(plan, options: options, unchangedSince: fingerprint).execute()
    }
}

extension MigrationRun {
    /// Creates a staged copy of a store, and edits its objects.
    ///
    /// - Parameter path: the path of the store in error messages.
    func editStaged(
        _ input: StoreFiles, for destination: String, _ edits: EditSet, wasLogged: Bool, path: String
    ) throws -> (staged: StagedFile, edits: [ChainReport.Edit]) {
        let staged = try StagedFile(for: destination, isPrivate: true)
        options.onCheckpoint?("staging file")
        progress(.copying)
        try timed("copying") { try copyFiles(of: input, to: staged.path) }
        options.onCheckpoint?("copied")
        progress(.transferring)
        var results: [ChainReport.Edit] = []
        do {
            let store = try SQLiteStore(path: staged.path, access: .readWrite)
            let connection = store.connection
            defer { try? connection.close() }
            // The whole file is synchronized at the end.
            try connection.execute("PRAGMA main.synchronous = OFF")
            _ = try connection.value("PRAGMA journal_mode = DELETE")
            connection.onProgress(everyInstructions: 100_000, options.isCancelled)
            defer { connection.onProgress(everyInstructions: 0, nil) }
            try connection.execute("PRAGMA temp_store = FILE; BEGIN IMMEDIATE")
            let done = try edits.run(store)
            results = done.edits
            findings += done.findings
            // Code may have changed more than objects.
            let numbers = Dictionary(store.entityRecords.map { ($0.name, $0.number) }) { first, _ in first }
            let faults = try LayoutMatching.layout(
                of: edits.version.model, in: StoreSchema(of: connection), numbersByName: numbers
            ).problems.map(\.description)
            guard faults.isEmpty else { throw MigrationError(.verificationFailed(faults), path: path) }
            try connection.execute("COMMIT")
            try validate(edits, in: store, before: input, path: path)
            try setFile(connection, wasLogged: wasLogged)
            try connection.close()
        } catch let error as SQLiteError {
            if error.isInterrupted, options.isCancelled?() ?? false { throw MigrationError(.cancelled, path: path) }
            throw StoreError(error, path: path)
        }
        guard (FileSystem.size(StoreFiles(staged.path).writeAheadLog) ?? 0) == 0 else {
            throw MigrationError(.verificationFailed(["its write-ahead log could not be folded in"]), path: path)
        }
        options.onCheckpoint?("edited")
        return (staged, results)
    }

    private func validate(_ edits: EditSet, in store: SQLiteStore, before input: StoreFiles, path: String) throws {
        let layout = store.layout(for: edits.version.model)
        let program = ValidationProgram(
            origins: CopiedValues.all(of: layout), policy: edits.invalidObjects, looksForMissingValues: true)
        try store.connection.attach(path: input.path, as: "source", access: .readOnly)
        try validate(
            ResultValidation(
                connection: store.connection, layout: layout, program: program, storeUUID: store.metadata.uuid),
            path: path)
        try store.connection.detach("source")
    }
}
