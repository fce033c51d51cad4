import ManagedObjectModels
import PersistentStores
import SQLiteAccess

extension MigrationRun {
    func changeOriginal(
        _ plan: MigrationPlan, _ backup: StoreBackup?, _ fingerprint: StoreFingerprint
    ) throws -> StepRunner {
        guard let program = plan.program else { throw MigrationError(.refused([]), path: plan.shownPath) }
        try options.pragmas.checkForChange()
        // A run without --in-place that was killed may have left a staged file.
        StagedFile.removeStale(for: plan.sourcePath)
        // The backup is made before the lock is taken, as when the store is replaced.
        try make(backup)
        let files = StoreFiles(plan.sourcePath)
        do {
            let connection = try Connection(
                path: plan.sourcePath, access: .readWrite, busyTimeout: options.lockTimeout)
            defer { try? connection.close() }
            guard !connection.isReadOnly else { throw StoreError(.readOnly, path: plan.shownPath) }
            try registerCoreDataFunctions(connection)
            connection.setDefensive(false)
            // If this run fails, the changes that other processes have written to the log stay there.
            connection.setCheckpointOnClose((FileSystem.size(files.writeAheadLog) ?? 0) == 0)
            // A process that has the store open, even only for reading, would continue with the old tables and entity
            // numbers. In exclusive mode, SQLite lets no other process in until the end, and does not begin while one
            // is there.
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
            // The file was left by a process that crashed, because in exclusive mode this process has none.
            try? FileSystem.remove(files.sharedMemory)
            return runner
        } catch {
            // If a commit fails halfway, its journal remains for the next program that opens the store. This program
            // can be the next one.
            _ = try? JournalRecovery.rollBack(files, timeout: options.lockTimeout)
            throw (error as? SQLiteError).map { StoreError($0, path: plan.shownPath) } ?? error
        }
    }

    /// Moves the committed pages from the log into the store. If this fails, the store is complete, but it needs its
    /// log, and the space of both files.
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
