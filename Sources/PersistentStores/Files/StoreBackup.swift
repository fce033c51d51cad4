import Glibc

/// A copy of a store's files in another folder, from before a migration.
///
/// The backup gets its name when it is complete, so that a killed run leaves a complete backup or none:
///
/// 1. The files are copied into a hidden folder in the backup's, and synchronized.
/// 2. A file named `whole` beside them marks the copy as complete.
/// 3. External data, log and journal are moved out of the hidden folder, then the main file, which completes the
///    backup.
///
/// The next run for the same store and folder undoes what a run that was killed between steps 1 and 3 has left. An
/// existing backup is never overwritten; if it has the same content as the store, it is used again.
public final class StoreBackup {
    /// The final paths of the backup's files.
    public let files: StoreFiles

    private let source: StoreFiles
    private let staging: StagingFolder
    private let isNewFolder: Bool

    /// Whether this run has made the backup, and may therefore remove it.
    private var isOurs = false
    private var isSettled = false

    private var staged: StoreFiles { StoreFiles(staging.file(source.name)) }
    private var marker: String { staging.file("whole") }

    /// Prepares a backup: locks the folder, cleans up after a killed run, and checks what is there.
    ///
    /// - Throws: `StoreError.exists` if the folder has a store of that name with other content;
    ///   `StoreError.busyStaging` if another run is making that backup.
    public convenience init(
        of source: StoreFiles, in folder: String, isCancelled: (() -> Bool)? = nil
    ) throws(StoreError) {
        try self.init(settling: source, in: folder)
        guard let obstacle = parts(of: files).first(where: FileSystem.isThere) else { return }
        guard StoreComparison.isSame(source, files, isCancelled: isCancelled) else {
            discard()
            if isCancelled?() ?? false { throw StoreError(FileError(.copy, source.path, number: ECANCELED)) }
            throw StoreError(.exists, path: obstacle)
        }
        isSettled = true
    }

    deinit { discard() }

    /// Cleans up after a killed run when no backup is needed, because the store no longer has to be migrated.
    public static func removeStale(of source: StoreFiles, in folder: String) {
        let path = StagedFile.stagingPath(for: folder + "/" + source.name)
        guard FileSystem.isDirectory(path), let backup = try? StoreBackup(settling: source, in: folder) else { return }
        backup.isSettled = true
        backup.discard()
    }

    private init(settling source: StoreFiles, in folder: String) throws(StoreError) {
        self.source = source
        files = StoreFiles(folder + "/" + source.name)
        isNewFolder = !FileSystem.isDirectory(folder)
        guard !folder.isEmpty, !isNewFolder || !FileSystem.isThere(folder) else {
            throw StoreError(.notAFolder, path: folder.isEmpty ? "\"\"" : folder)
        }
        do throws(FileError) {
            try FileSystem.createDirectory(folder)
        } catch {
            throw StoreError(error)
        }
        staging = try StagingFolder(StagedFile.stagingPath(for: files.path))
        do throws(FileError) {
            try clearUp()
        } catch {
            throw StoreError(error)
        }
    }

    /// Copies the files, unless a backup with the same content exists.
    ///
    /// The caller ensures that no process wrote to the store meanwhile.
    /// - Parameters:
    ///   - isCancelled: called from time to time; true ends the copy with an error.
    ///   - onStep: called after each step that changes the files on disk.
    /// - Throws: `StoreError` if a file cannot be copied or renamed, or the copy was cancelled.
    public func make(isCancelled: (() -> Bool)? = nil, onStep: ((String) -> Void)? = nil) throws(StoreError) {
        guard !isSettled, !isOurs else { return }
        do throws(FileError) {
            try source.copy(to: staged, isCancelled: isCancelled)
            onStep?("backup copied")
            try write(marker)
            onStep?("backup whole")
            isOurs = true
            for (from, to) in zip(parts(of: staged), parts(of: files)).reversed() where FileSystem.isThere(from) {
                try FileSystem.renameExclusively(from, to: to)
                onStep?("backup \(FileSystem.name(of: to))")
            }
            try FileSystem.synchronize(files.directory)
        } catch {
            throw StoreError(error)
        }
    }

    /// Keeps the backup, because the store has changed.
    public func keep() {
        isSettled = true
        staging.remove()
    }

    /// Keeps the backup unless the store still has the same content; for cases in which it is unknown whether the store
    /// has changed.
    public func settle() {
        if isOurs, !StoreComparison.isSame(source, files) { keep() } else { discard() }
    }

    /// Removes the backup that this run has made, because the store has not changed.
    public func discard() {
        guard !isSettled else {
            staging.remove()
            return
        }
        isSettled = true
        // First back into the hidden folder: if the process is killed from here on, the next run cleans up.
        if isOurs, FileSystem.isThere(files.path), !FileSystem.isThere(staged.path) {
            guard (try? FileSystem.renameExclusively(files.path, to: staged.path)) != nil else { return }
        }
        try? clearUp()
        staging.remove()
        if isNewFolder { rmdir(files.directory) }
    }

    /// Undoes what a killed run has left in the hidden folder, or moved out of it.
    private func clearUp() throws(FileError) {
        // If the main file has left the hidden folder, or is in its final place too, the backup is complete and the
        // mark is a remnant.
        if FileSystem.isThere(marker), FileSystem.isThere(staged.path),
            !FileSystem.isSameFile(staged.path, files.path)
        {
            // Files that are missing here have been moved out, or were about to be.
            for (inside, outside) in zip(parts(of: staged), parts(of: files)).dropFirst()
            where !FileSystem.isThere(inside) || FileSystem.isSameFile(inside, outside) {
                try FileSystem.remove(outside)
            }
            try FileSystem.remove(staged.path)
        }
        for name in try FileSystem.names(in: staging.path) { try FileSystem.remove(staging.file(name)) }
    }

    /// Returns the files of a store, the main one first.
    private func parts(of files: StoreFiles) -> [String] {
        [files.path, files.journal, files.writeAheadLog, files.supportDirectory]
    }

    private func write(_ path: String) throws(FileError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileError(.create, path) }
        close(descriptor)
        try FileSystem.synchronize(path)
        try FileSystem.synchronize(staging.path)
    }
}
