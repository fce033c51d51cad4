import ManagedObjectModels
import PersistentStores
import SQLiteAccess

extension MigrationRun {
    func changeOriginal(
        _ plan: MigrationPlan, _ backup: StoreBackup?, _ fingerprint: StoreFingerprint
    ) throws -> StepRunner {
        guard let program = plan.program else { throw MigrationError(.refused([]), path: plan.shownPath) }
        try options.pragmas.checkForChange()
        // What a run without --in-place has left, which died.
        StagedFile.removeStale(for: plan.sourcePath)
        // Before the lock, as where the store is replaced.
        try make(backup)
        let files = StoreFiles(plan.sourcePath)
        do {
            let connection = try Connection(
                path: plan.sourcePath, access: .readWrite, busyTimeout: options.lockTimeout)
            defer { try? connection.close() }
            guard !connection.isReadOnly else { throw StoreError(.readOnly, path: plan.shownPath) }
            try registerCoreDataFunctions(connection)
            connection.setDefensive(false)
            // A run that fails leaves what others have written to the log there.
            connection.setCheckpointOnClose((FileSystem.size(files.writeAheadLog) ?? 0) == 0)
            // Whoever has the store open, if only to read, would go on with the old tables and entity numbers: in
            // exclusive mode SQLite lets no one in until the end, and does not begin while somebody is there.
            try connection.execute(
                """
                PRAGMA main.locking_mode = EXCLUSIVE;
                PRAGMA main.synchronous = FULL;
                PRAGMA main.cache_size = -\(options.fixedLimits.changedPages);
                PRAGMA legacy_alter_table = ON;
                """)
            try options.pragmas.applyToConnection(connection)
            try connection.execute("BEGIN EXCLUSIVE")
            guard StoreFingerprint(of: files) == fingerprint else {
                throw MigrationError(.changedMeanwhile, path: plan.shownPath)
            }
            options.onCheckpoint?("in-place lock")
            try checkSource(connection, path: plan.shownPath)
            let runner = self.runner(plan, connection, inOneTransaction: true)
            try timed("transferring") { try runner.run(program.steps + program.foreignSteps) }
            progress(.verifying)
            try timed("verifying") { try verify(connection, plan, runner) }
            options.onCheckpoint?("before commit")
            try checkCancelled(plan)
            isCommitTried = true
            try timed("committing") { try connection.execute("COMMIT") }
            options.onCheckpoint?("committed")
            foldLogIn(connection, plan)
            if let reason = options.pragmas.applyJournalMode(connection) {
                findings.append(MigrationFinding(.warning, "journal-mode-kept", message: reason))
            }
            connection.setCheckpointOnClose(true)
            // Left by a process that died: in exclusive mode this one has none.
            try? FileSystem.remove(files.sharedMemory)
            return runner
        } catch {
            // A commit that fails halfway leaves its journal to the next program that opens the store: that may be this
            // one.
            _ = try? JournalRecovery.rollBack(files, timeout: options.lockTimeout)
            throw (error as? SQLiteError).map { StoreError($0, path: plan.shownPath) } ?? error
        }
    }

    /// Brings the committed pages from the log into the store. Where that fails the store is whole all the same, but
    /// needs its log, and the space of both.
    private func foldLogIn(_ connection: Connection, _ plan: MigrationPlan) {
        func note(_ reason: String) {
            findings.append(
                MigrationFinding(
                    .warning, "log-not-folded-in",
                    message: "the store is migrated, but its write-ahead log could not be folded in, and stays beside "
                        + "it: \(reason); make space and open the store once, and never move it without its log"))
        }
        do throws(SQLiteError) {
            guard try connection.value("PRAGMA main.journal_mode").string == "wal" else { return }
            let answer = try connection.rows("PRAGMA main.wal_checkpoint(TRUNCATE)").first ?? []
            if answer.first?.integer != 0 { note("another program is reading it") }
        } catch {
            note(error.message)
        }
    }
}
