import ManagedObjectModels
public import PersistentStores
import SQLiteAccess

/// Executes migration plans: staged beside the target and renamed over it, into a new store, or in one transaction.
///
/// Whatever happens, the old store is intact or the new one is whole.
public final class MigrationManager {
    let options: MigrationOptions
    private(set) var stageSeconds: [String: Double] = [:]

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

    func checkDestination(_ plan: MigrationPlan) throws(StoreError) {
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

    // MARK: - Parts

    func runner(_ plan: MigrationPlan, _ connection: Connection, inOneTransaction: Bool) -> StepRunner {
        StepRunner(
            connection: connection, options: options, path: plan.sourcePath,
            externalDataDirectory: StoreFiles(plan.sourcePath).externalDataDirectory,
            totalRows: plan.tableRows.isEmpty ? nil : plan.totalRows, inOneTransaction: inOneTransaction)
    }

    func verify(_ connection: Connection, _ plan: MigrationPlan, _ runner: StepRunner) throws {
        guard let layout = plan.destinationLayout else { return }
        let names = Set(layout.tables.map(\.name))
        let expected = runner.rowsByTable.filter { names.contains($0.key) }
        let pages = try connection.value("PRAGMA page_count").integer ?? 0
        let pageSize = try connection.value("PRAGMA page_size").integer ?? 0
        let isSmall = pages * pageSize <= ResultVerification.quickCheckLimit && plan.method != .original
        let faults = try ResultVerification(
            connection: connection, layout: layout, keptTables: plan.keptTables, expectedRows: expected
        ).faults(checksPages: options.verifiesFully || isSmall)
        guard faults.isEmpty else { throw MigrationError(.verificationFailed(faults), path: plan.sourcePath) }
    }

    /// Copies the old files where a backup is asked for.
    func backUp(_ plan: MigrationPlan) throws(StoreError) -> StoreFiles? {
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
    func copyUnchanged(_ plan: MigrationPlan, _ fingerprint: StoreFingerprint) throws {
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

    func progress(_ stage: MigrationProgress.Stage) {
        options.onProgress?(MigrationProgress(stage: stage, table: nil, rowsDone: 0, rowsTotal: nil))
    }

    func timed<T>(_ name: String, _ body: () throws -> T) rethrows -> T {
        let start = Clock.seconds
        defer { stageSeconds[name, default: 0] += Clock.seconds - start }
        return try body()
    }
}
