import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// The result is made beside its place, and takes it at the end.
extension MigrationManager {
    func makeStaged(_ plan: MigrationPlan, _ fingerprint: StoreFingerprint) throws -> StepRunner {
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
}
