import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import SQLiteFileBuilder

/// One run of a migration, or of a step of a chain: its findings, the durations of its stages, and its progress.
///
/// Must only be used by one thread.
final class MigrationRun {
    let options: MigrationOptions
    private(set) var stageSeconds: [String: Double] = [:]
    private(set) var resultCounts: ResultCounts?

    /// The keys of objects that are created from several source objects, while a new file is filled; nil otherwise.
    var keyTables: KeyTables?

    /// The memory in which the links of policies are sorted; nil if the new file is not built with them.
    var linkMemory: SpoolMemory?

    /// Findings that can only be made during execution.
    var findings: [MigrationFinding] = []

    /// The plan with all findings about the data, if they were queried because of values that were examined while they
    /// were written; nil otherwise.
    var checked: MigrationPlan?

    /// Whether the original may have changed, whatever SQLite reports about the commit.
    var isCommitTried = false

    /// The part of a chain that is executed; nil for a migration of one step that no other run continues.
    let part: ChainPart?

    init(options: MigrationOptions, part: ChainPart? = nil) {
        self.options = options
        self.part = part
    }

    /// Executes a plan.
    func execute(_ plan: MigrationPlan, unchangedSince fingerprint: StoreFingerprint) throws -> MigrationReport {
        let start = Clock.seconds
        guard !plan.isRefused else { throw MigrationError(.refused(plan.findings), path: plan.shownPath) }
        if options.writer == .builder, plan.method != .newFile, !plan.isUpToDate {
            throw MigrationError(.cannotBuild(["the rows stay in the same file"]), path: plan.shownPath)
        }
        try checkDestination(plan)
        IntermediateStores.removeStale(for: FileSystem.resolvingLinks(plan.destinationPath))
        var runner: StepRunner?
        try checkSpace(plan)
        do {
            if plan.isUpToDate {
                if case .output = plan.placement { try copyUnchanged(plan, fingerprint) }
                // A run that was killed after its last step has left the old store there.
                if plan.placement.output == nil {
                    StagedFile.removeStale(for: FileSystem.resolvingLinks(plan.destinationPath))
                }
                if let folder = plan.placement.backup {
                    StoreBackup.removeStale(of: StoreFiles(plan.sourcePath), in: folder)
                }
            } else {
                runner = try change(plan, fingerprint)
            }
        } catch let error as StoreError where error.isCancelled {
            throw MigrationError(.cancelled, path: plan.shownPath)
        }
        progress(.done)
        return report(plan, runner: runner, seconds: Clock.seconds - start)
    }

    func checkSpace(_ plan: MigrationPlan) throws(StoreError) {
        if let free = plan.bytesFree, free < plan.bytesNeeded {
            throw StoreError(.noSpace(needed: plan.bytesNeeded, free: free), path: plan.shownDestinationPath)
        }
        if let backup = plan.backupSpace, backup.isMissing {
            throw StoreError(.noSpace(needed: backup.bytesNeeded, free: backup.bytesFree), path: backup.folder)
        }
    }

    private func change(_ plan: MigrationPlan, _ fingerprint: StoreFingerprint) throws -> StepRunner {
        // The place of the backup is checked first, because after the work it would be too late.
        let backup = try plan.placement.backup.map {
            try StoreBackup(of: StoreFiles(plan.sourcePath), in: $0, isCancelled: options.isCancelled)
        }
        do {
            let runner =
                plan.method == .original
                ? try changeOriginal(plan, backup, fingerprint) : try makeStaged(plan, backup, fingerprint)
            backup?.keep()
            return runner
        } catch {
            if isCommitTried { backup?.settle() } else { backup?.discard() }
            throw error
        }
    }

    func checkDestination(_ plan: MigrationPlan) throws(StoreError) {
        guard case .output(let path) = plan.placement else { return }
        // SQLite would replay a log or journal without its store into the new store, and external data of two stores
        // would be mixed.
        let files = StoreFiles(path)
        for path in [path, files.writeAheadLog, files.journal] where FileSystem.isThere(path) {
            // A run that was killed may have left the staging name as a second name of the new store.
            StagedFile.removeStale(for: files.path)
            IntermediateStores.removeStale(for: files.path)
            throw StoreError.taken(path, by: [plan.sourcePath])
        }
        if FileSystem.isSameFile(files.supportDirectory, StoreFiles(plan.sourcePath).supportDirectory) {
            throw StoreError(.sharedExternalData(files.supportDirectory), path: path)
        }
        let directory = FileSystem.directory(of: path)
        guard FileSystem.isDirectory(directory) else { throw StoreError(.folderMissing, path: directory) }
    }

    // MARK: - Parts

    func runner(_ plan: MigrationPlan, _ connection: Connection, inOneTransaction: Bool) -> StepRunner {
        let runner = StepRunner(
            connection: connection, options: options, path: plan.shownPath,
            externalDataDirectory: StoreFiles(plan.sourcePath).externalDataDirectory,
            totalRows: plan.tableRows.isEmpty ? nil : plan.totalRows, inOneTransaction: inOneTransaction)
        runner.linkMemory = linkMemory
        runner.inputPath = plan.inputPath
        return runner
    }

    func verify(_ connection: Connection, _ plan: MigrationPlan, _ runner: StepRunner) throws {
        guard let layout = plan.destinationLayout else { return }
        let names = Set(layout.tables.map(\.name))
        let expected = runner.rowsByTable.filter { names.contains($0.key) }
        let pages = try connection.value("PRAGMA page_count").integer ?? 0
        let pageSize = try connection.value("PRAGMA page_size").integer ?? 0
        let isSmall = pages * pageSize <= options.fixedLimits.checkedFile && plan.method != .original
        connection.onProgress(everyInstructions: 100_000, options.isCancelled)
        defer { connection.onProgress(everyInstructions: 0, nil) }
        let faults = try ResultVerification(
            connection: connection, layout: layout,
            keptTables: plan.keptTables + (runner.journal == nil ? [] : [StepJournal.table]), expectedRows: expected
        ).faults(checksPages: options.verifiesFully || isSmall, comparesIndexes: options.verifiesFully)
        guard faults.isEmpty else { throw MigrationError(.verificationFailed(faults), path: plan.shownPath) }
        // If the rows of the source were not counted, no row had to be read, and none is read for the report either.
        if plan.entities.contains(where: { $0.rows != nil }) {
            resultCounts = try ResultCounts(connection, layout: layout, rowsByTable: expected)
        }
    }

    func make(_ backup: StoreBackup?) throws(StoreError) {
        guard let backup else { return }
        progress(.copying)
        try backup.make(isCancelled: options.isCancelled, onStep: options.onCheckpoint)
        options.onCheckpoint?("backup")
    }

    func checkCancelled(_ plan: MigrationPlan) throws(MigrationError) {
        if options.isCancelled?() ?? false { throw MigrationError(.cancelled, path: plan.shownPath) }
    }

    func progress(_ stage: MigrationProgress.Stage) {
        options.onProgress?(MigrationProgress(stage: stage, table: nil, rowsDone: 0, rowsTotal: nil))
    }

    func timed<T>(_ name: String, _ body: () throws -> T) rethrows -> T {
        let start = Clock.seconds
        defer { stageSeconds[name, default: 0] += Clock.seconds - start }
        return try body()
    }
}
