import Glibc
import SQLiteAccess

/// One move of a store to another place.
///
/// 1. The store is held: no other process reads or writes it until it is at its new place.
/// 2. External data are copied or linked to the new place; the old ones stay.
/// 3. The main file is renamed or copied to the new place; a store that it replaces is held meanwhile.
/// 4. The folder is synchronized. If that fails, everything at the old place stays.
/// 5. The old main file is removed, the store is released, and the old external data are removed.
///
/// A connection that opened the old main file earlier continues to use it after it has lost or changed its name; SQLite
/// refuses its next write only in rollback mode. So a store in WAL mode is never renamed, but copied, and the old file
/// is put into rollback mode before it is removed. A store that replaces a SQLite store is copied, too: the two files
/// change places for a moment, and the replaced one must never have the name of the moved one.
struct StoreMove {
    private let unit: StoreUnit
    private let destination: StoreFiles
    private let external: ExternalDataMerge
    private let isOnOneDevice: Bool

    private var source: StoreFiles { unit.files }

    init(of unit: StoreUnit, to destination: StoreFiles) {
        self.unit = unit
        self.destination = destination
        isOnOneDevice = FileSystem.device(unit.files.directory) == FileSystem.device(destination.directory)
        external = ExternalDataMerge(
            from: unit.files, to: destination, isLinking: isOnOneDevice, isCancelled: unit.options.isCancelled)
    }

    /// - Parameter replaced: the fingerprint of the store at the destination; nil if there is none.
    func run(replacing replaced: StoreFingerprint?) throws -> [String] {
        let held = try hold()
        var notes: [String] = []
        let isRenamed = isOnOneDevice && !(held.lock?.usesLog ?? false) && !isDatabase(replaced)
        let unsynchronized: FileError?
        do {
            try external.check()
            try external.run()
            unit.checkpoint("external data")
            if isRenamed {
                try held.lock?.seal()
                unsynchronized = try unit.place(destination, replacing: replaced, noting: external) { _ in
                    try rename(replacing: replaced != nil, held)
                }
            } else {
                let (staged, lost) = try copy(held)
                notes += lost
                unsynchronized = try unit.place(destination, replacing: replaced, noting: external) { lock in
                    try held.check()
                    return try staged.move(to: destination.path, replacing: replaced != nil, lock)
                }
            }
        } catch {
            external.undo()
            held.lock?.abandon()
            throw error
        }
        unit.checkpoint("renamed")
        if let unsynchronized {
            held.lock.map { isRenamed ? $0.release() : $0.abandon() }
            return notes + [notDurable(unsynchronized)]
        }
        guard isRenamed else { return try notes + removeSource(held) }
        held.lock?.release()
        return try notes + removeRest()
    }

    // MARK: Taking up

    /// Returns the fingerprint of a store that is at both places, as a move leaves it that was killed at the last
    /// moment; nil if it is not.
    func fingerprintAtBothPlaces() throws -> StoreFingerprint? {
        // A move leaves no journal beside the new main file.
        guard FileSystem.exists(destination.path), source.supportDirectory != destination.supportDirectory,
            !FileSystem.isThere(destination.journal)
        else { return nil }
        if unit.type == .sqlite { _ = try JournalRecovery.rollBack(source, timeout: unit.options.timeout) }
        let fingerprint = StoreFingerprint(of: source, isSettled: true)
        return try isAtBothPlaces() ? fingerprint : nil
    }

    private func isAtBothPlaces() throws -> Bool {
        if FileSystem.isSameFile(source.path, destination.path) {
            // Two names of one file, as during a rename. A store in WAL mode is never renamed.
            return try FileSystem.resolvingLinks(source.path) != FileSystem.resolvingLinks(destination.path)
                && (FileSystem.linkCount(source.path) ?? 0) > 1
                && (unit.type != .sqlite || !DatabaseFile(path: source.path).usesWriteAheadLog)
        }
        if unit.type == .sqlite {
            return StoreComparison.isSame(source, destination, isCancelled: unit.options.isCancelled)
        }
        return (try? FileSystem.hasSameContent(source.path, destination.path)) ?? false
    }

    /// Removes the store at its old place, after it has been moved.
    func finish(_ fingerprint: StoreFingerprint) throws -> [String] {
        do throws(FileError) {
            // Before the store is held, because it may be the same file.
            try FileSystem.synchronize(destination.path)
            try FileSystem.synchronize(destination.directory)
        } catch {
            throw StoreError(error)
        }
        let held = try hold {
            guard StoreFingerprint(of: source) == fingerprint else { throw StoreError(.changed, path: source.path) }
        }
        do {
            try external.check()
            try external.run()
        } catch {
            held.lock?.abandon()
            throw error
        }
        return try removeSource(held)
    }

    /// Removes the remaining files at the old place of a store whose main file has been removed there.
    func finishWithoutMainFile() throws -> [String] {
        try StoreError.checkReach(destination.path)
        _ = try StoreType(ofStoreAt: destination.path)
        try external.check()
        try external.takeUp()
        // The folder is removed last, when it is empty.
        guard try external.hasBrought || FileSystem.isEmptyFolder(source.supportDirectory) else {
            throw StoreError(.missing, path: source.path)
        }
        return try removeRest()
    }

    // MARK: Steps

    /// The hold on a store: the lock of a SQLite store; for other stores only the fingerprint.
    private struct Hold {
        let files: StoreFiles
        let lock: ReplacementLock?
        let fingerprint: StoreFingerprint

        /// Throws if another process wrote to a store without locks.
        func check() throws(StoreError) {
            guard lock != nil || StoreFingerprint(of: files) == fingerprint else {
                throw StoreError(.changed, path: files.path)
            }
        }
    }

    private func hold(check: () throws -> Void = {}) throws -> Hold {
        let lock =
            try unit.type == .sqlite
            ? ReplacementLock(holding: source, timeout: unit.options.timeout, check: check) : nil
        if lock == nil { try check() }
        unit.checkpoint("settled")
        return Hold(files: source, lock: lock, fingerprint: StoreFingerprint(of: source, isSettled: lock == nil))
    }

    /// Returns whether the replaced store is a SQLite store.
    private func isDatabase(_ replaced: StoreFingerprint?) -> Bool {
        replaced != nil && (try? StoreType(ofStoreAt: destination.path)) == .sqlite
    }

    private func copy(_ held: Hold) throws -> (StagedFile, notes: [String]) {
        let staged = try StagedFile(for: destination.path, isPrivate: true)
        unit.checkpoint("staging file")
        if let lock = held.lock {
            try lock.copy(into: staged.path, isCancelled: unit.options.isCancelled)
        } else {
            do throws(FileError) {
                try FileSystem.copyContents(
                    of: source.path, into: staged.path, isCancelled: unit.options.isCancelled)
            } catch {
                throw StoreError(error)
            }
        }
        let lost = staged.adoptAttributes(of: source.path)
        try staged.synchronize()
        unit.checkpoint("copied")
        return (staged, StoreUnit.notes(lost))
    }

    private func rename(replacing: Bool, _ held: Hold) throws -> FileError? {
        try held.check()
        do throws(FileError) {
            if replacing {
                try FileSystem.rename(source.path, to: destination.path)
            } else {
                for path in destination.sidecars where FileSystem.isThere(path) {
                    throw FileError(.create, path, number: EEXIST)
                }
                try FileSystem.renameExclusively(source.path, to: destination.path)
            }
        } catch {
            throw error.number == EEXIST ? StoreError(.exists, path: error.path) : StoreError(error)
        }
        return FileSystem.durabilityProblem(ofEntriesIn: destination.directory)
    }

    /// Removes the store at its old place, after it is complete and durable at the new one.
    private func removeSource(_ held: Hold) throws -> [String] {
        do {
            try held.check()
            try held.lock?.seal()
            try FileSystem.remove(source.path)
        } catch {
            held.lock?.abandon()
            return [
                "the store is at \(destination.path), and at its old place too, which cannot be cleared: \(error); "
                    + "run the command again"
            ]
        }
        unit.checkpoint("removed")
        held.lock?.release()
        return try removeRest()
    }

    /// Removes all files but the main one. Returns a note if other stores use the folders.
    private func removeRest() throws -> [String] {
        var notes = try external.removeReplaced(unless: unit.sharers(of: destination))
        unit.checkpoint("replaced data removed")
        notes += try external.removeSource(unless: unit.sharers(of: source))
        do throws(FileError) {
            try FileSystem.synchronize(source.directory)
        } catch {
            notes.append("after a power failure the store may be at its old place too: \(error)")
        }
        return notes
    }

    private func notDurable(_ error: FileError) -> String {
        "the store is at \(destination.path), and what else was at the old place stays, since a power failure could "
            + "undo the move: \(error); when the device works again, run the command again"
    }
}
