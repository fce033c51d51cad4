import Glibc
import SQLiteAccess

extension StoreUnit {
    /// Makes a consistent copy of the store, with its log checkpointed into the main file. An unfinished transaction of
    /// a program that died is rolled back in the copy only.
    ///
    /// The copy gets its name when it is complete. With `isReplacing` it replaces a store that no process has open.
    /// Returns notes for the user.
    /// - Throws: `StoreError`, also where another process writes to the store meanwhile.
    public func copy(to path: String) throws -> [String] {
        let destination = StoreFiles(followingLinks: path)
        let replaced = try checkDestination(destination)
        let isRecovered = try type == .sqlite && JournalRecovery.isNeeded(files, timeout: options.timeout)
        let fingerprint = StoreFingerprint(of: files, isSettled: true)
        let staged = try StagedFile(for: destination.path, isPrivate: true)
        checkpoint("staging file")
        if isRecovered { try recover(into: staged, fingerprint) } else { try fill(staged, fingerprint) }
        let lost = staged.adoptAttributes(of: files.path)
        try staged.synchronize()
        checkpoint("copied")
        var notes = Self.notes(lost)
        let external = ExternalDataMerge(
            from: files, to: destination, isLinking: false, isCancelled: options.isCancelled)
        try external.check()
        try external.run()
        checkpoint("external data")
        do {
            guard StoreFingerprint(of: files) == fingerprint else { throw StoreError(.changed, path: files.path) }
            let unsynchronized = try place(destination, replacing: replaced, noting: external) { lock in
                try staged.move(to: destination.path, replacing: replaced != nil, lock)
            }
            if let unsynchronized { notes.append(unsynchronized.durabilityNote(destination.path)) }
        } catch {
            external.undo()
            throw error
        }
        checkpoint("renamed")
        return try notes + external.removeReplaced(unless: sharers(of: destination))
    }

    /// Makes a consistent copy of the main file in a staged file, with the log checkpointed; does not copy external
    /// data.
    ///
    /// - Throws: `StoreError.changed` if the store no longer matches the fingerprint at the end.
    public func fill(_ staged: StagedFile, _ fingerprint: StoreFingerprint) throws {
        do {
            guard type == .sqlite else {
                try type?.checkEnding(ofStoreAt: files.path, isCancelled: options.isCancelled)
                return try FileSystem.copyContents(of: files.path, into: staged.path, isCancelled: options.isCancelled)
            }
            // While this connection reads, the log is not restarted, and in rollback mode no process can write.
            let reader = try Connection(path: files.path, access: .readOnly, busyTimeout: options.timeout)
            try reader.execute("BEGIN")
            _ = try reader.value("SELECT count(*) FROM sqlite_master")
            // The log first: pages that a checkpoint moves meanwhile are then in both copies.
            if (FileSystem.size(files.writeAheadLog) ?? 0) > 0 {
                try FileSystem.copyFile(
                    files.writeAheadLog, to: StoreFiles(staged.path).writeAheadLog, isCancelled: options.isCancelled)
            }
            try FileSystem.copyContents(of: files.path, into: staged.path, isCancelled: options.isCancelled)
            try reader.close()
            // SQLite checkpoints the log when the last connection closes.
            let connection = try Connection(path: staged.path, access: .readWrite)
            _ = try connection.value("SELECT count(*) FROM sqlite_master")
            try connection.close()
            guard (FileSystem.size(StoreFiles(staged.path).writeAheadLog) ?? 0) == 0 else {
                throw StoreError(.corrupt("its write-ahead log could not be folded in"), path: files.path)
            }
        } catch {
            // Pages that change while they are read look damaged.
            guard StoreFingerprint(of: files) == fingerprint else { throw StoreError(.changed, path: files.path) }
            switch error {
            case let error as SQLiteError: throw StoreError(error, path: files.path)
            case let error as FileError: throw StoreError(error)
            default: throw error
            }
        }
    }

    /// Writes the store's content without the unfinished transaction of a program that died: SQLite reads a private
    /// copy that is rolled back.
    private func recover(into staged: StagedFile, _ fingerprint: StoreFingerprint) throws {
        do {
            let reader = try Connection(path: files.path, access: .readOnly, busyTimeout: options.timeout)
            try reader.execute("VACUUM INTO ?", [.string(staged.path)])
            try reader.close()
        } catch {
            guard StoreFingerprint(of: files) == fingerprint else { throw StoreError(.changed, path: files.path) }
            throw StoreError(error, path: files.path)
        }
    }

    /// Returns the fingerprint of the store that will be replaced; nil if there is nothing at the destination.
    ///
    /// Throws `StoreError.exists` if something is there that is not to be replaced or is not a store.
    func checkDestination(_ destination: StoreFiles) throws(StoreError) -> StoreFingerprint? {
        guard FileSystem.isDirectory(destination.directory) else {
            throw StoreError(.folderMissing, path: destination.directory)
        }
        if FileSystem.isSameFile(files.path, destination.path) { throw StoreError(.sameStore, path: destination.path) }
        if destination.supportDirectory == files.supportDirectory, FileSystem.isDirectory(files.supportDirectory) {
            throw StoreError(.sharedExternalData(files.supportDirectory), path: destination.path)
        }
        if FileSystem.isThere(destination.path) {
            guard options.isReplacing, let old = try? StoreType(ofStoreAt: destination.path) else {
                throw StoreError(.exists, path: destination.path)
            }
            let isDatabase = old == .sqlite
            if isDatabase {
                // Otherwise the unfinished transaction of a program that died would be rolled back later, and look like
                // a change.
                _ = try JournalRecovery.rollBack(destination, timeout: options.timeout)
            } else {
                // They would become those of the new store.
                for path in destination.sidecars where FileSystem.isThere(path) {
                    throw StoreError(.exists, path: path)
                }
            }
            return StoreFingerprint(of: destination, isSettled: true)
        }
        // An existing log or journal would become that of the new store.
        for path in destination.sidecars where FileSystem.isThere(path) { throw StoreError(.exists, path: path) }
        return nil
    }

    /// Moves a new main file to its place; a store that it replaces is held meanwhile.
    ///
    /// - Parameter move: moves the file; receives the hold on a SQLite store that it replaces.
    /// - Returns: why the folder's entry may not be durable; nil if it is.
    func place(
        _ destination: StoreFiles, replacing replaced: StoreFingerprint?, noting external: ExternalDataMerge,
        _ move: (ReplacementLock?) throws -> FileError?
    ) throws -> FileError? {
        guard let replaced else { return try move(nil) }
        guard try StoreType(ofStoreAt: destination.path) == .sqlite else {
            guard StoreFingerprint(of: destination) == replaced else {
                throw StoreError(.changed, path: destination.path)
            }
            try external.noteReplaced()
            return try move(nil)
        }
        let lock = try ReplacementLock(on: destination, unchangedSince: replaced, timeout: options.timeout) {
            StoreError(.changed, path: destination.path)
        }
        do {
            try external.noteReplaced()
            let unsynchronized = try move(lock)
            lock.release()
            return unsynchronized
        } catch {
            lock.abandon()
            throw error
        }
    }

    /// Returns notes about attributes that the new file lacks.
    static func notes(_ lost: [FileAttribute]) -> [String] {
        lost.isEmpty ? [] : ["the new file does not have the store's \(lost.map(\.rawValue).joined(separator: ", "))"]
    }
}
