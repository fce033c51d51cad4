import Glibc
import PersistentStores
import SQLiteAccess
import Threading

/// Copies the store without changes.
extension MigrationRun {
    func copyFiles(of source: StoreFiles, to staged: String) throws(StoreError) {
        do throws(FileError) {
            try Self.copySidecars(of: source, to: staged, isCancelled: options.isCancelled)
            try FileSystem.copyContents(of: source.path, into: staged, isCancelled: options.isCancelled)
        } catch {
            throw StoreError(error)
        }
    }

    /// Copies the write-ahead log and the journal. This must happen before the store is copied: pages that a checkpoint
    /// moves in between are then in both copies.
    private static func copySidecars(
        of source: StoreFiles, to staged: String, isCancelled: (() -> Bool)?
    ) throws(FileError) {
        for (from, to) in [
            (source.writeAheadLog, StoreFiles(staged).writeAheadLog), (source.journal, StoreFiles(staged).journal),
        ] where (FileSystem.size(from) ?? 0) > 0 {
            try FileSystem.copyFileIfThere(from, to: to, isCancelled: isCancelled)
        }
    }

    private enum CopyOutcome: Sendable {
        case done
        case failure(FileError)
    }

    /// Checks a store while copying it, on two threads: the copy mostly waits for the device, and the check computes.
    ///
    /// If the store is damaged, the error is the same as if the store were checked first. The staged file is useless
    /// then.
    func copyChecking(_ source: StoreFiles, to staged: String, _ plan: MigrationPlan) throws {
        guard plan.inputPath == plan.sourcePath else {
            return try timed("copying") { try copyFiles(of: source, to: staged) }
        }
        // Closed after the connection, because closing any descriptor of a file releases all locks of this process on
        // it.
        let input = open(source.path, O_RDONLY | O_CLOEXEC)
        guard input >= 0 else { throw StoreError(FileError(.open, source.path)) }
        defer { close(input) }
        let store = try SQLiteStore(path: plan.sourcePath, shownAs: plan.shownPath)
        defer { try? store.connection.close() }
        do throws(SQLiteError) {
            // The check and the copy use the same lock, or the same read mark in the write-ahead log.
            try store.connection.execute("BEGIN")
            _ = try store.connection.value("SELECT count(*) FROM sqlite_master")
        } catch {
            throw StoreError(error, path: plan.shownPath)
        }
        let exchange = BufferExchange<Void, CopyOutcome>([])
        let shown = CopyProgress()
        do throws(ThreadError) {
            try WorkerThread.start {
                do throws(FileError) {
                    try Self.copySidecars(of: source, to: staged) { exchange.isStopped }
                    try FileSystem.copyContents(of: input, source.path, into: staged, shown: shown) {
                        exchange.isStopped
                    }
                    exchange.put(.done)
                } catch {
                    exchange.put(.failure(error))
                }
            }
        } catch {
            try checkSource(store.connection, path: plan.shownPath)
            return try timed("copying") { try copyFiles(of: source, to: staged) }
        }
        let check = Result { try checkSource(store.connection, path: plan.shownPath) }
        var isSourceRead = plan.placement.removesSource
        if case .failure = check {
            exchange.stop()
            isSourceRead = false
        }
        // This thread must wait even after a failure: it may only change the files after the other thread has ended.
        let copy = timed("copying") {
            var outcome = exchange.next(within: 0)
            while outcome == nil {
                if options.isCancelled?() ?? false { exchange.stop() }
                // Nothing reads these pages again, and freeing them takes a while.
                let copied = shown.copied
                if isSourceRead, copied > 0 { _ = posix_fadvise(input, 0, off_t(copied), POSIX_FADV_DONTNEED) }
                outcome = exchange.next(within: Self.copyPatience)
            }
            return outcome
        }
        try check.get()
        if case .failure(let error)? = copy { throw StoreError(error) }
    }

    /// Milliseconds between two checks for cancellation while the copy is awaited.
    private static let copyPatience = 10

    /// Copies a store that already has the destination version to a new path.
    func copyUnchanged(_ plan: MigrationPlan, _ fingerprint: StoreFingerprint) throws {
        let destination = FileSystem.resolvingLinks(plan.destinationPath)
        let staged = try StagedFile(for: destination, isPrivate: true)
        options.onCheckpoint?("staging file")
        progress(.copying)
        try copyChecking(StoreFiles(plan.sourcePath), to: staged.path, plan)
        options.onCheckpoint?("copied")
        let files = StoreFiles(staged.path)
        if FileSystem.exists(files.writeAheadLog) || FileSystem.exists(files.journal) || !options.pragmas.isEmpty {
            // SQLite checkpoints the write-ahead log when the last connection closes, and rolls back a journal when the
            // first one reads.
            do throws(SQLiteError) {
                let connection = try Connection(path: staged.path, access: .readWrite)
                _ = try connection.value("SELECT count(*) FROM sqlite_master")
                if !options.pragmas.isEmpty { try setFile(connection) }
                try connection.close()
            } catch {
                throw StoreError(error, path: plan.shownPath)
            }
        }
        guard (FileSystem.size(files.writeAheadLog) ?? 0) == 0 else { throw unfolded(plan) }
        try place(staged, at: destination, plan, nil, fingerprint)
    }

    /// Returns the error about a write-ahead log that could not be folded into the staged file. Its content would be
    /// lost, because only the main file is renamed.
    func unfolded(_ plan: MigrationPlan) -> MigrationError {
        MigrationError(.verificationFailed(["its write-ahead log could not be folded in"]), path: plan.shownPath)
    }
}
