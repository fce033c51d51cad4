import ManagedObjectModels
import PersistentStores
import PredicateExpressions
import SQLiteAccess
import SQLiteFileBuilder

/// Writes the staged file.
extension MigrationRun {
    func fillNewFile(_ plan: MigrationPlan, _ staged: StagedFile) throws -> StepRunner {
        guard let program = plan.program else { throw MigrationError(.refused([]), path: plan.shownPath) }
        let old = try DatabaseFile(path: plan.sourcePath)
        let settings = """
            PRAGMA page_size = \(options.pragmas[.pageSize] ?? String(old.pageSize ?? 4096));
            PRAGMA encoding = '\((old.textEncoding ?? .utf8).name)';
            PRAGMA auto_vacuum = \(options.pragmas[.autoVacuum] ?? String(old.autoVacuum ?? 2));
            PRAGMA application_id = \(old.applicationID ?? 0);
            PRAGMA user_version = \(old.userVersion ?? 0);
            """
        let identity = identity(of: plan)
        keyTables = try program.usesKeyTables ? KeyTables(pages: options.fixedLimits.newPages) : nil
        defer { keyTables = nil }
        let linked = try linkedProgram(program, plan, settings: settings)
        let first = linked?.program.rows ?? program
        let path = linked == nil ? staged.path : StagedFile.rowsPath(of: staged.path)
        linkMemory = linked.map { _ in SpoolMemory(limit: options.fixedLimits.build.sortMemory, beside: path) }
        defer {
            linkMemory = nil
            if linked != nil, identity == nil { try? FileSystem.remove(path) }
        }
        // Policies are not asked again for what is in the file of an earlier run.
        let isContinued = identity.map { StepJournal.fits(path, $0) } ?? false
        let built =
            isContinued
            ? nil
            : try buildTables(
                first, plan, settings: settings, staged: path, isResumable: identity != nil,
                mustBuild: options.writer == .builder && linked == nil)
        // The rows that SQLite writes are not examined, so the source must be queried.
        let seen = (built?.done ?? []).filter { first.steps[$0].rows?.watched != nil }
        if !program.watchedMappings.isSubset(of: seen.compactMap { first.steps[$0].mapping }) { try checkData(plan) }
        return try withConnection(path, path: plan.shownPath, opened: built?.connection) { connection in
            if built == nil, !isContinued { try connection.execute(settings) }
            let runner = built?.runner ?? self.runner(plan, connection, inOneTransaction: false)
            if built?.connection == nil {
                try prepare(connection, isJournaled: identity != nil)
                try attachSource(of: program, plan, to: connection)
                runner.use(connection)
                if let built { try timed("transferring") { try runner.run(built.schema.indexSteps) } }
            }
            runner.journal = try identity.map {
                try StepJournal(connection, identity: $0, finished: built?.finished ?? [])
            }
            try timed("transferring") {
                if let built { try runner.run(built.left) } else { try runner.run(first.steps) }
            }
            if let linked { return try link(linked, program, plan, staged, runner, wasLogged: old.usesWriteAheadLog) }
            try complete(staged, connection, program, plan, runner, wasLogged: old.usesWriteAheadLog)
            return runner
        }
    }

    /// Writes the staged file with the objects of a separate file, to which the runner is connected.
    private func link(
        _ linked: (program: LinkedProgram, schema: DatabaseSchema), _ program: MigrationProgram, _ plan: MigrationPlan,
        _ staged: StagedFile, _ runner: StepRunner, wasLogged: Bool
    ) throws -> StepRunner {
        let identity = identity(of: plan)
        let isContinued = identity.map { StepJournal.fits(staged.path, $0) } ?? false
        // If an earlier run has finished the steps of the policies, their pairs are in the separate file nevertheless.
        for case .policyLinks(let program) in linked.program.links.map(\.work) { _ = try runner.policyRun(program) }
        let finished =
            isContinued
            ? []
            : try timed("transferring") {
                try link(linked.program, linked.schema, program, plan, runner, to: staged.path)
            }
        return try withConnection(staged.path, path: plan.shownPath) { connection in
            try prepare(connection, isJournaled: identity != nil)
            try attachSource(of: program, plan, to: connection)
            runner.use(connection, hasPairs: false)
            if !isContinued { try timed("transferring") { try runner.run(linked.schema.indexSteps) } }
            runner.journal = try identity.map { try StepJournal(connection, identity: $0, finished: finished) }
            let steps = linked.program.fills + linked.program.links + linked.program.left
            try timed("transferring") {
                try runner.run(Array(steps[finished.count...]), number: finished.count)
            }
            try complete(staged, connection, program, plan, runner, wasLogged: wasLogged)
            return runner
        }
    }

    /// Returns a text that identifies the steps of a plan and what writes them; nil if another run cannot continue them.
    private func identity(of plan: MigrationPlan) -> String? {
        part?.identity(of: plan).map { "\($0) \(options.writer)" }
    }

    /// Keeps what an earlier run has committed, if it has executed the same steps.
    func settle(_ staged: StagedFile, _ plan: MigrationPlan) throws(StoreError) {
        guard staged.isResumed else { return }
        let identity = identity(of: plan)
        func fits(_ path: String) -> Bool { identity.map { StepJournal.fits(path, $0) } ?? false }
        let rows = StagedFile.rowsPath(of: staged.path)
        let keepsRows = fits(rows)
        if fits(staged.path), keepsRows || !FileSystem.exists(rows) { return }
        try staged.clear(keepingRows: keepsRows)
    }

    /// Returns the parts of a program whose links are built, and the schema of the new file; nil if SQLite writes the
    /// links, or if there are none.
    private func linkedProgram(
        _ program: MigrationProgram, _ plan: MigrationPlan, settings: String
    ) throws -> (program: LinkedProgram, schema: DatabaseSchema)? {
        guard options.writer != .sqlite, let linked = LinkedProgram(program) else { return nil }
        do throws(SQLiteError) {
            let schema = try options.schemas.schema(making: [settings] + linked.schema)
            return schema.declined.isEmpty ? (linked, schema) : nil
        } catch {
            throw StoreError(error, path: plan.shownPath)
        }
    }

    /// Validates and verifies the staged file after all of its steps.
    private func complete(
        _ staged: StagedFile, _ connection: Connection, _ program: MigrationProgram, _ plan: MigrationPlan,
        _ runner: StepRunner, wasLogged: Bool
    ) throws {
        findings += runner.findings
        try noteHistory(of: program, connection, path: plan.shownPath)
        if let validation = program.validation, let layout = plan.destinationLayout {
            try validate(
                ResultValidation(
                    connection: connection, layout: layout, program: validation, storeUUID: plan.storeUUID),
                path: plan.shownPath)
        }
        try connection.detach("source")
        if keyTables != nil { try connection.detach(KeyTables.schema) }
        try makeForeignObjects(of: program, connection, runner)
        if part?.isIntermediate != true { staged.beginSynchronizing() }
        try finish(connection, plan, runner, wasLogged: wasLogged)
    }

    func changeCopy(_ plan: MigrationPlan, _ staged: StagedFile) throws -> StepRunner {
        guard let program = plan.program else { throw MigrationError(.refused([]), path: plan.shownPath) }
        let source = StoreFiles(plan.inputPath)
        progress(.copying)
        let old = try DatabaseFile(path: plan.sourcePath)
        try copyChecking(source, to: staged.path, plan)
        options.onCheckpoint?("copied")
        // From here on, only few pages change.
        staged.beginSynchronizing()
        return try withConnection(staged.path, path: plan.shownPath) { connection in
            // The whole file is synchronized at the end, so SQLite does not have to wait for the device before that.
            try connection.execute("PRAGMA main.synchronous = OFF")
            _ = try connection.value("PRAGMA journal_mode = DELETE")
            try prepare(connection)
            let runner = self.runner(plan, connection, inOneTransaction: true)
            try timed("transferring") {
                try connection.execute("BEGIN")
                try runner.run(program.steps)
                try connection.execute("COMMIT")
            }
            try makeForeignObjects(of: program, connection, runner)
            try finish(connection, plan, runner, wasLogged: old.usesWriteAheadLog)
            return runner
        }
    }

    /// Records the number of changes in persistent history that were removed because a mapping model has dropped their
    /// objects; refuses the migration if all history must be kept.
    private func noteHistory(of program: MigrationProgram, _ connection: Connection, path: String) throws {
        guard let planned = program.historyRemovals else { return }
        let before = try connection.value("SELECT count(*) FROM source.ACHANGE").integer ?? 0
        let after = try connection.value("SELECT count(*) FROM main.ACHANGE").integer ?? 0
        let removed = before - after - planned
        guard removed > 0 else { return }
        let severity: MigrationFinding.Severity = program.keepsAllHistory ? .error : .note
        let finding = MigrationFinding(
            severity, "history-changes-removed", cocoaCode: 134301,
            message: "changes in persistent history are of objects that the mapping model drops or splits, and go too"
                + (program.keepsAllHistory ? "; leave out --history keep to allow that" : ""), count: removed)
        guard !program.keepsAllHistory else { throw MigrationError(.refused([finding]), path: path) }
        findings.append(finding)
    }

    func openStaged(_ staged: String) throws -> Connection {
        let connection = try Connection(path: staged, access: .create, busyTimeout: options.lockTimeout)
        try registerCoreDataFunctions(connection)
        return connection
    }

    /// Opens the staged file, unless it is already open, and calls a closure with the connection. An `SQLiteError`
    /// becomes a `StoreError`.
    func withConnection(
        _ staged: String, path: String, opened: Connection? = nil, _ body: (Connection) throws -> StepRunner
    ) throws -> StepRunner {
        do {
            let connection = try opened ?? openStaged(staged)
            defer { try? connection.close() }
            return try body(connection)
        } catch let error as SQLiteError {
            throw StoreError(error, path: path)
        }
    }

    /// Prepares a connection for writing to the staged file. A file that no other process uses yet needs no journal. A
    /// second thread that sorts indexes was slower when measured, and takes memory.
    ///
    /// - Parameter isJournaled: whether another run may continue with the file. In this case, a journal is needed to
    ///   roll back what a killed run has begun. It costs little, because new pages are not copied to it.
    func prepare(_ connection: Connection, isJournaled: Bool = false) throws {
        connection.setDefensive(false)
        try connection.execute(
            """
            PRAGMA main.journal_mode = \(isJournaled ? "TRUNCATE" : "OFF");
            PRAGMA main.synchronous = OFF;
            PRAGMA main.locking_mode = EXCLUSIVE;
            PRAGMA main.cache_size = -\(options.fixedLimits.newPages);
            PRAGMA legacy_alter_table = ON;
            """)
    }

    /// Creates the indexes, triggers and views that do not belong to Core Data. If one of the statements fails, SQLite
    /// must be able to roll it back. This requires a journal; in memory, it stays small here.
    private func makeForeignObjects(
        of program: MigrationProgram, _ connection: Connection, _ runner: StepRunner
    ) throws {
        guard !program.foreignSteps.isEmpty else { return }
        if runner.journal == nil { _ = try connection.value("PRAGMA main.journal_mode = MEMORY") }
        try timed("transferring") { try runner.run(program.foreignSteps, number: program.steps.count) }
        if runner.journal == nil { _ = try connection.value("PRAGMA main.journal_mode = OFF") }
    }

    /// Applies the requested settings to a staged file.
    ///
    /// - Parameter wasLogged: whether the source has a write-ahead log; nil if the file is a copy that still has the
    ///   mode of the source.
    func setFile(_ connection: Connection, wasLogged: Bool? = nil) throws(SQLiteError) {
        if part?.isIntermediate == true { return try StorePragmas().applyToFile(connection, wasLogged: false) }
        // The journal mode is part of the file, so an app finds the mode that it has chosen.
        try options.pragmas.applyToFile(connection, wasLogged: wasLogged)
    }

    private func finish(
        _ connection: Connection, _ plan: MigrationPlan, _ runner: StepRunner, wasLogged: Bool
    ) throws {
        progress(.verifying)
        try timed("verifying") { try verify(connection, plan, runner) }
        if let journal = runner.journal {
            try journal.remove()
            // Releases the page of the removed table.
            try connection.execute("PRAGMA main.incremental_vacuum")
        }
        _ = try connection.value("PRAGMA main.locking_mode = NORMAL")
        try setFile(connection, wasLogged: wasLogged)
        try connection.close()
        guard (FileSystem.size(StoreFiles(connection.path).writeAheadLog) ?? 0) == 0 else { throw unfolded(plan) }
        options.onCheckpoint?("verified")
    }
}
