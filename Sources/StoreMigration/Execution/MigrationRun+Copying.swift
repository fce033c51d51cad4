import PersistentStores
import SQLiteAccess

/// The store is copied as it is.
extension MigrationRun {
    func copyFiles(of source: StoreFiles, to staged: String) throws(StoreError) {
        do throws(FileError) {
            // The log first: what a checkpoint moves in between is then in both.
            for (from, to) in [
                (source.writeAheadLog, StoreFiles(staged).writeAheadLog), (source.journal, StoreFiles(staged).journal),
            ] where (FileSystem.size(from) ?? 0) > 0 {
                try FileSystem.copyFile(from, to: to, isCancelled: options.isCancelled)
            }
            try FileSystem.copyContents(of: source.path, into: staged, isCancelled: options.isCancelled)
        } catch {
            throw StoreError(error)
        }
    }

    /// A store that is at the version already gets a copy at a new path.
    func copyUnchanged(_ plan: MigrationPlan, _ fingerprint: StoreFingerprint) throws {
        let destination = FileSystem.resolvingLinks(plan.destinationPath)
        let staged = try StagedFile(for: destination, isPrivate: true)
        options.onCheckpoint?("staging file")
        try checkSource(plan)
        progress(.copying)
        try timed("copying") { try copyFiles(of: StoreFiles(plan.sourcePath), to: staged.path) }
        options.onCheckpoint?("copied")
        let files = StoreFiles(staged.path)
        if FileSystem.exists(files.writeAheadLog) || FileSystem.exists(files.journal) || !options.pragmas.isEmpty {
            // SQLite folds the log in when the last connection closes, and rolls a journal back when the first one
            // reads.
            do throws(SQLiteError) {
                let connection = try Connection(path: staged.path, access: .readWrite)
                _ = try connection.value("SELECT count(*) FROM sqlite_master")
                if !options.pragmas.isEmpty { try setFile(connection) }
                try connection.close()
            } catch {
                throw StoreError(error, path: plan.sourcePath)
            }
        }
        guard (FileSystem.size(files.writeAheadLog) ?? 0) == 0 else { throw unfolded(plan) }
        try place(staged, at: destination, plan, nil, fingerprint)
    }

    /// What is left in a log would not be part of what is renamed.
    func unfolded(_ plan: MigrationPlan) -> MigrationError {
        MigrationError(.verificationFailed(["its write-ahead log could not be folded in"]), path: plan.sourcePath)
    }
}
