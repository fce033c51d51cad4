import Glibc
import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// Writes the result to a file beside its destination, and moves it there at the end.
extension MigrationRun {
    func makeStaged(
        _ plan: MigrationPlan, _ backup: StoreBackup?, _ fingerprint: StoreFingerprint
    ) throws -> StepRunner {
        // If the destination is a link, the file that it leads to is replaced, not the link.
        let destination = FileSystem.resolvingLinks(plan.destinationPath)
        let (staged, runner) = try fillStaged(plan, for: destination, fingerprint)
        try place(staged, at: destination, plan, backup, fingerprint)
        return runner
    }

    /// Writes the staged file of a plan beside a destination, and verifies it.
    func fillStaged(
        _ plan: MigrationPlan, for destination: String, _ fingerprint: StoreFingerprint
    ) throws -> (staged: StagedFile, runner: StepRunner) {
        let staged = try StagedFile(for: destination, isPrivate: true, resuming: part != nil)
        options.onCheckpoint?("staging file")
        do {
            try settle(staged, plan)
            // A source that is copied is checked during the copy.
            guard plan.method != .copy else { return (staged, try changeCopy(plan, staged)) }
            try checkSource(plan)
            return (staged, try fillNewFile(plan, staged))
        } catch {
            // Pages that change while they are read look damaged.
            guard StoreFingerprint(of: StoreFiles(plan.sourcePath)) == fingerprint else {
                throw MigrationError(.changedMeanwhile, path: plan.shownPath)
            }
            if options.resumes, Self.isCancellation(error) { staged.isKept = true }
            guard var error = error as? MigrationError else { throw error }
            if error.code != .cancelled {
                do {
                    try checkData(plan)
                } catch let refusal as MigrationError {
                    throw refusal
                } catch {}
            }
            if case .step(let step, _) = error.code,
                let finding = try? plan.program?.replan?(true, options.isCancelled).findings.first(where: {
                    $0.code == "expression-fails"
                })
            {
                let objects = finding.examples.joined(separator: ", ")
                error = MigrationError(.step(step, "\(finding.message) [\(objects)]"), path: plan.shownPath)
            }
            error.plan = checked
            throw error
        }
    }

    /// Queries the source for findings about the values that are written, unless this has been done before, and refuses
    /// the migration if the findings require it.
    func checkData(_ plan: MigrationPlan) throws {
        guard checked == nil, let program = plan.program, !program.watchedMappings.isEmpty,
            let found = try program.replan?(false, options.isCancelled)
        else { return }
        checked = found
        guard found.isRefused else { return }
        var error = MigrationError(.refused(found.findings), path: plan.shownPath)
        error.plan = found
        throw error
    }

    static func isCancellation(_ error: any Error) -> Bool {
        switch error {
        case let error as MigrationError: error.code == .cancelled
        case let error as StoreError: error.isCancelled
        default: false
        }
    }

    /// Moves a complete staged file to its destination.
    func place(
        _ staged: StagedFile, at destination: String, _ plan: MigrationPlan, _ backup: StoreBackup?,
        _ fingerprint: StoreFingerprint
    ) throws {
        noteLost(staged.adoptAttributes(of: plan.sourcePath), plan)
        if plan.placement.removesSource { forgetPages(of: destination) }
        try timed("synchronizing") { try staged.synchronize() }
        options.onCheckpoint?("synchronized")
        try checkCancelled(plan)
        progress(.replacing)
        switch plan.placement {
        case .output:
            let source = StoreFiles(plan.sourcePath)
            let isNew = try ExternalDataCopy.copy(
                from: source, to: StoreFiles(destination), isCancelled: options.isCancelled)
            do {
                options.onCheckpoint?("external data")
                guard StoreFingerprint(of: source) == fingerprint else {
                    throw MigrationError(.changedMeanwhile, path: plan.shownPath)
                }
                try checkCancelled(plan)
                noteNotDurable(try staged.move(to: destination, replacing: false), plan)
            } catch {
                if isNew { try? FileSystem.remove(StoreFiles(destination).supportDirectory) }
                throw error
            }
        case .replace, .inPlace:
            // The backup is made before the lock is taken, because reading the files in any other way would release the
            // lock. Once the lock is held and the files are found unchanged, it is certain that no process wrote to
            // them during the copy.
            try make(backup)
            // The last check for cancellation: nothing is left to wait for, and a store whose log has been folded in is
            // always replaced.
            try checkCancelled(plan)
            let lock = try ReplacementLock(
                on: StoreFiles(destination), unchangedSince: fingerprint, timeout: options.lockTimeout
            ) {
                MigrationError(.changedMeanwhile, path: plan.shownPath)
            }
            options.onCheckpoint?("replacement lock")
            do {
                noteNotDurable(try staged.replace(lock), plan)
            } catch {
                lock.abandon()
                throw error
            }
            options.onCheckpoint?("renamed")
            lock.release()
        }
        options.onCheckpoint?("finished")
    }

    /// Lets the system free the cached pages of a file that will be removed, while the device writes the pages of the
    /// new file. Otherwise this run would have to wait until they are freed when the file is removed.
    private func forgetPages(of path: String) {
        guard FileSystem.size(path) ?? 0 > Self.forgottenSize else { return }
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return }
        _ = posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED)
        close(file)
    }

    /// The size in bytes of a file whose cached pages take a millisecond to be freed.
    private static let forgottenSize: Int64 = 16 << 20

    private func noteLost(_ attributes: [FileAttribute], _ plan: MigrationPlan) {
        guard !attributes.isEmpty else { return }
        findings.append(
            MigrationFinding(
                .warning, "attributes-not-kept",
                message: "the new file does not have the old one's "
                    + "\(attributes.map(\.rawValue).joined(separator: ", ")), which this user may not give: look "
                    + "whether the app can still open it"))
    }

    private func noteNotDurable(_ error: FileError?, _ plan: MigrationPlan) {
        guard let error else { return }
        findings.append(
            MigrationFinding(
                .warning, "not-durable",
                message: "the new store is in its place, but if the power fails now the old one may come back: "
                    + "\(error)"))
    }
}
