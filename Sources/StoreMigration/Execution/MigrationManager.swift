import ManagedObjectModels
public import PersistentStores
import SQLiteAccess

/// Executes migration plans: staged beside the target and renamed over it, into a new store, or in one transaction.
///
/// Whatever happens, the old store is intact or the new one is whole.
public final class MigrationManager {
    private let options: MigrationOptions
    private var stageSeconds: [String: Double] = [:]

    public init(options: MigrationOptions = MigrationOptions()) {
        self.options = options
    }

    /// Executes a plan.
    ///
    /// - Parameter fingerprint: what the store's files looked like before the plan was computed.
    /// - Throws: `MigrationError` or `StoreError`; the store is as it was.
    public func execute(_ plan: MigrationPlan, unchangedSince fingerprint: StoreFingerprint) throws -> MigrationReport {
        let start = Clock.seconds
        guard !plan.isRefused else { throw MigrationError(.refused(plan.findings), path: plan.sourcePath) }
        try checkDestination(plan)
        var runner: StepRunner?
        if plan.isUpToDate {
            try copyUnchanged(plan, fingerprint)
        } else {
            if let free = plan.bytesFree, free < plan.bytesNeeded {
                throw StoreError(.noSpace(needed: plan.bytesNeeded, free: free), path: plan.destinationPath)
            }
            runner = plan.method == .original
                ? try changeOriginal(plan, fingerprint) : try makeStaged(plan, fingerprint)
        }
        progress(.done)
        return report(plan, runner: runner, seconds: Clock.seconds - start)
    }

    private func checkDestination(_ plan: MigrationPlan) throws(StoreError) {
        if case .output(let path) = plan.placement {
            // A log or journal without its store would be replayed into the new one; external data would get mixed.
            let files = StoreFiles(path)
            for path in [path, files.writeAheadLog, files.journal] where FileSystem.exists(path) {
                throw StoreError(.exists, path: path)
            }
            if FileSystem.isSameFile(files.supportDirectory, StoreFiles(plan.sourcePath).supportDirectory) {
                throw StoreError(.sharedExternalData(files.supportDirectory), path: path)
            }
            let directory = FileSystem.directory(of: path)
            guard FileSystem.isDirectory(directory) else { throw StoreError(.missing, path: directory) }
        }
        if let backup = plan.placement.backup {
            let copy = backup + "/" + FileSystem.name(of: plan.sourcePath)
            if FileSystem.exists(copy) { throw StoreError(.exists, path: copy) }
        }
    }

    // MARK: - Staged

    private func makeStaged(_ plan: MigrationPlan, _ fingerprint: StoreFingerprint) throws -> StepRunner {
        // The real file is replaced, not a link that leads to it.
        let destination = FileSystem.resolvingLinks(plan.destinationPath)
        let staged = try StagedFile(for: destination)
        options.onCheckpoint?("staging file")
        let source = StoreFiles(plan.sourcePath)
        let runner: StepRunner
        do {
            runner = plan.method == .copy
                ? try changeCopy(plan, staged: staged.path) : try fillNewFile(plan, staged: staged.path)
        } catch {
            // Pages that change while they are read look like damage.
            guard StoreFingerprint(of: source) == fingerprint else {
                throw MigrationError(.changedMeanwhile, path: plan.sourcePath)
            }
            throw error
        }
        staged.adoptPermissions(of: plan.sourcePath)
        try timed("synchronizing") { try staged.synchronize() }
        options.onCheckpoint?("synchronized")
        if options.isCancelled?() ?? false { throw MigrationError(.cancelled, path: plan.sourcePath) }
        progress(.replacing)
        switch plan.placement {
        case .output:
            let isNew = try ExternalDataCopy.copy(from: source, to: StoreFiles(destination))
            do {
                options.onCheckpoint?("external data")
                guard StoreFingerprint(of: source) == fingerprint else {
                    throw MigrationError(.changedMeanwhile, path: plan.sourcePath)
                }
                try staged.move(to: destination, replacing: false)
            } catch {
                if isNew, !staged.isMoved { try? FileSystem.remove(StoreFiles(destination).supportDirectory) }
                throw error
            }
        case .replace, .inPlace:
            // Before the lock: reading the files by other means would drop it. That nobody wrote while they were
            // copied is known once the lock has found them unchanged.
            let backup = try backUp(plan)
            do {
                let lock = try ReplacementLock(
                    on: StoreFiles(destination), unchangedSince: fingerprint, timeout: options.lockTimeout
                ) {
                    MigrationError(.changedMeanwhile, path: plan.sourcePath)
                }
                options.onCheckpoint?("replacement lock")
                try staged.move(to: destination, replacing: true)
                options.onCheckpoint?("renamed")
                lock.release()
            } catch {
                if !staged.isMoved { backup?.remove() }
                throw error
            }
        }
        options.onCheckpoint?("finished")
        return runner
    }

    private func fillNewFile(_ plan: MigrationPlan, staged: String) throws -> StepRunner {
        guard let program = plan.program else { throw MigrationError(.refused([]), path: plan.sourcePath) }
        return try withConnection(staged, path: plan.sourcePath) { connection in
            let old = try DatabaseFile(path: plan.sourcePath)
            let encodings: [DatabaseFile.TextEncoding: String] = [.utf16LittleEndian: "UTF-16le", .utf16BigEndian: "UTF-16be"]
            try connection.execute(
                """
                PRAGMA page_size = \(old.pageSize ?? 4096);
                PRAGMA encoding = '\(old.textEncoding.flatMap { encodings[$0] } ?? "UTF-8")';
                PRAGMA auto_vacuum = INCREMENTAL;
                PRAGMA application_id = \(old.applicationID ?? 0);
                PRAGMA user_version = \(old.userVersion ?? 0);
                """)
            try prepare(connection)
            try connection.attach(path: plan.sourcePath, as: "source", access: .readOnly)
            let runner = self.runner(plan, connection, inOneTransaction: false)
            try timed("transferring") { try runner.run(program.steps) }
            try connection.detach("source")
            try finish(connection, plan, runner, wasLogged: old.usesWriteAheadLog)
            return runner
        }
    }

    private func changeCopy(_ plan: MigrationPlan, staged: String) throws -> StepRunner {
        guard let program = plan.program else { throw MigrationError(.refused([]), path: plan.sourcePath) }
        let source = StoreFiles(plan.sourcePath)
        progress(.copying)
        let old = try DatabaseFile(path: plan.sourcePath)
        try timed("copying") {
            do {
                // The log first: what a checkpoint moves in between is then in both.
                if (FileSystem.size(source.writeAheadLog) ?? 0) > 0 {
                    try FileSystem.copyFile(source.writeAheadLog, to: StoreFiles(staged).writeAheadLog)
                }
                if (FileSystem.size(source.journal) ?? 0) > 0 {
                    try FileSystem.copyFile(source.journal, to: StoreFiles(staged).journal)
                }
                try FileSystem.copyContents(of: source.path, into: staged)
            } catch let error as FileError {
                throw StoreError(error)
            }
        }
        options.onCheckpoint?("copied")
        return try withConnection(staged, path: plan.sourcePath) { connection in
            // The whole file is synchronized in the end: nothing that SQLite does before has to wait for the device.
            try connection.execute("PRAGMA main.synchronous = OFF")
            _ = try connection.value("PRAGMA journal_mode = DELETE")
            try prepare(connection)
            let runner = self.runner(plan, connection, inOneTransaction: true)
            try timed("transferring") {
                try connection.execute("BEGIN")
                try runner.run(program.steps)
                try connection.execute("COMMIT")
            }
            try finish(connection, plan, runner, wasLogged: old.usesWriteAheadLog)
            return runner
        }
    }

    /// Opens the staged file; an error of SQLite becomes one of the store.
    private func withConnection(
        _ staged: String, path: String, _ body: (Connection) throws -> StepRunner
    ) throws -> StepRunner {
        do {
            let connection = try Connection(path: staged, access: .create, busyTimeout: 0)
            defer { try? connection.close() }
            try registerCoreDataFunctions(connection)
            return try body(connection)
        } catch let error as SQLiteError {
            throw StoreError(error, path: path)
        }
    }

    /// A file that nobody sees yet needs no journal. Rows and indexes grow at their ends, so that more cache than 4 MiB
    /// saves nothing; SQLite also sorts indexes in pieces of that size, and larger pieces or a second thread that sorts
    /// were slower when measured, and cost memory.
    private func prepare(_ connection: Connection) throws {
        connection.setDefensive(false)
        try connection.execute(
            """
            PRAGMA main.journal_mode = OFF;
            PRAGMA main.synchronous = OFF;
            PRAGMA main.locking_mode = EXCLUSIVE;
            PRAGMA main.cache_size = -4096;
            PRAGMA legacy_alter_table = ON;
            """)
    }

    private func finish(
        _ connection: Connection, _ plan: MigrationPlan, _ runner: StepRunner, wasLogged: Bool
    ) throws {
        progress(.verifying)
        try timed("verifying") { try verify(connection, plan, runner) }
        // The mode is part of the file: apps that chose one find it again.
        _ = try connection.value("PRAGMA main.locking_mode = NORMAL")
        _ = try connection.value("PRAGMA journal_mode = \(wasLogged ? "WAL" : "DELETE")")
        try connection.close()
        // What is left in a log would not be part of what is renamed.
        guard (FileSystem.size(StoreFiles(connection.path).writeAheadLog) ?? 0) == 0 else {
            throw MigrationError(.verificationFailed(["its write-ahead log could not be folded in"]), path: plan.sourcePath)
        }
        options.onCheckpoint?("verified")
    }

    // MARK: - In place

    private func changeOriginal(_ plan: MigrationPlan, _ fingerprint: StoreFingerprint) throws -> StepRunner {
        guard let program = plan.program else { throw MigrationError(.refused([]), path: plan.sourcePath) }
        // Before the lock, as where the store is replaced.
        let backup = try backUp(plan)
        do {
            return try changeOriginal(plan, program, fingerprint)
        } catch {
            // Errors after the commit do not come here: then the backup stays.
            backup?.remove()
            throw error
        }
    }

    private func changeOriginal(
        _ plan: MigrationPlan, _ program: MigrationProgram, _ fingerprint: StoreFingerprint
    ) throws -> StepRunner {
        let files = StoreFiles(plan.sourcePath)
        do {
            let connection = try Connection(
                path: plan.sourcePath, access: .readWrite, busyTimeout: options.lockTimeout)
            defer { try? connection.close() }
            try registerCoreDataFunctions(connection)
            connection.setDefensive(false)
            // Whoever has the store open, if only to read, would go on with the old tables and entity numbers: in
            // exclusive mode SQLite lets nobody in until the end, and does not begin while somebody is there.
            try connection.execute(
                """
                PRAGMA main.locking_mode = EXCLUSIVE;
                PRAGMA main.synchronous = FULL;
                PRAGMA main.cache_size = -16384;
                PRAGMA legacy_alter_table = ON;
                """)
            try connection.execute("BEGIN EXCLUSIVE")
            guard StoreFingerprint(of: files) == fingerprint else {
                throw MigrationError(.changedMeanwhile, path: plan.sourcePath)
            }
            options.onCheckpoint?("in-place lock")
            let runner = self.runner(plan, connection, inOneTransaction: true)
            try timed("transferring") { try runner.run(program.steps) }
            progress(.verifying)
            try timed("verifying") { try verify(connection, plan, runner) }
            options.onCheckpoint?("before commit")
            try timed("committing") { try connection.execute("COMMIT") }
            options.onCheckpoint?("committed")
            return runner
        } catch let error as SQLiteError {
            throw StoreError(error, path: plan.sourcePath)
        }
    }

    // MARK: - Parts

    private func runner(_ plan: MigrationPlan, _ connection: Connection, inOneTransaction: Bool) -> StepRunner {
        StepRunner(
            connection: connection, options: options, path: plan.sourcePath,
            externalDataDirectory: StoreFiles(plan.sourcePath).externalDataDirectory,
            totalRows: plan.tableRows.isEmpty ? nil : plan.totalRows, inOneTransaction: inOneTransaction)
    }

    private func verify(_ connection: Connection, _ plan: MigrationPlan, _ runner: StepRunner) throws {
        guard let layout = plan.destinationLayout else { return }
        let names = Set(layout.tables.map(\.name))
        let expected = runner.rowsByTable.filter { names.contains($0.key) }
        let pages = try connection.value("PRAGMA page_count").integer ?? 0
        let pageSize = try connection.value("PRAGMA page_size").integer ?? 0
        let isSmall = pages * pageSize <= ResultVerification.quickCheckLimit && plan.method != .original
        let faults = try ResultVerification(connection: connection, layout: layout, expectedRows: expected)
            .faults(checksPages: options.verifiesFully || isSmall)
        guard faults.isEmpty else { throw MigrationError(.verificationFailed(faults), path: plan.sourcePath) }
    }

    /// Copies the old files where a backup is asked for.
    private func backUp(_ plan: MigrationPlan) throws(StoreError) -> StoreFiles? {
        guard let folder = plan.placement.backup else { return nil }
        let backup = StoreFiles(folder + "/" + FileSystem.name(of: plan.sourcePath))
        do {
            try FileSystem.createDirectory(folder)
            try StoreFiles(plan.sourcePath).copy(to: backup)
        } catch {
            throw StoreError(error)
        }
        options.onCheckpoint?("backup")
        return backup
    }

    /// A store that is at the version already: a new path gets a copy, nothing else happens.
    private func copyUnchanged(_ plan: MigrationPlan, _ fingerprint: StoreFingerprint) throws {
        guard case .output(let path) = plan.placement else { return }
        do {
            try StoreFiles(plan.sourcePath).copy(to: StoreFiles(path))
        } catch {
            throw StoreError(error)
        }
        guard StoreFingerprint(of: StoreFiles(plan.sourcePath)) == fingerprint else {
            StoreFiles(path).remove()
            throw MigrationError(.changedMeanwhile, path: plan.sourcePath)
        }
    }

    private func progress(_ stage: MigrationProgress.Stage) {
        options.onProgress?(MigrationProgress(stage: stage, table: nil, rowsDone: 0, rowsTotal: nil))
    }

    private func timed<T>(_ name: String, _ body: () throws -> T) rethrows -> T {
        let start = Clock.seconds
        defer { stageSeconds[name, default: 0] += Clock.seconds - start }
        return try body()
    }

    /// Rows that were counted and not written, though no entity of theirs is removed: their entity number is none of the table's.
    private func strangers(_ plan: MigrationPlan, _ runner: StepRunner?) -> [MigrationFinding] {
        guard let runner, !plan.findings.contains(where: { $0.code == "unknown-entity-number" }) else { return [] }
        return plan.tableRows.sorted { $0.key < $1.key }.compactMap { table, planned in
            guard let written = runner.rowsByTable[table], written < planned else { return nil }
            return MigrationFinding(
                .warning, "unknown-entity-number", subject: table,
                message: "rows of the source have an entity number that is none of the table's; they are no objects, and "
                    + "did not go over", count: planned - written)
        }
    }

    private func report(_ plan: MigrationPlan, runner: StepRunner?, seconds: Double) -> MigrationReport {
        let entities = plan.entities.map { entity in
            let isGone = entity.destination == nil
            return MigrationReport.EntityReport(
                mapping: entity.mapping, source: entity.source, destination: entity.destination, tier: entity.tier,
                read: entity.rows, written: isGone ? entity.rows.map { _ in 0 } : entity.rows,
                dropped: isGone ? entity.rows : entity.rows.map { _ in 0 },
                seconds: entity.table.flatMap { runner?.secondsByTable[$0] } ?? 0)
        }
        return MigrationReport(
            store: plan.sourcePath, result: plan.destinationPath, sourceVersion: plan.sourceVersion,
            destinationVersion: plan.destinationVersion, method: plan.method.rawValue, entities: entities,
            findings: plan.findings + strangers(plan, runner), keptTables: plan.keptTables,
            rowsRead: entities.reduce(0) { $0 + ($1.read ?? 0) },
            rowsWritten: entities.reduce(0) { $0 + ($1.written ?? 0) },
            rowsDropped: entities.reduce(0) { $0 + ($1.dropped ?? 0) }, stages: stageSeconds, seconds: seconds,
            peakMemory: ProcessMemory.peak, backup: plan.placement.backup)
    }
}
