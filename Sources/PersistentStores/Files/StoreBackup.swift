import Glibc

/// A copy of a store's files in another folder, from before a migration.
///
/// It gets its name when it is whole, so that a run which dies leaves a whole backup or none:
///
/// 1. The files are copied into a hidden folder in the backup's, and synchronized.
/// 2. The file `whole` beside them says so.
/// 3. External data, log and journal move out of the hidden folder, at last the main file: with it the backup is there.
///
/// The next run for the same store and folder undoes what an earlier one has left between 1 and 3. A backup that is
/// there is never overwritten; one that holds just what the store holds serves again.
public final class StoreBackup {
    /// Where the backup is in the end.
    public let files: StoreFiles

    private let source: StoreFiles
    private let staging: StagingFolder
    private let isNewFolder: Bool

    /// Whether this run has made the backup, so that it may take it away again.
    private var isOurs = false
    private var isSettled = false

    private var staged: StoreFiles { StoreFiles(staging.file(source.name)) }
    private var marker: String { staging.file("whole") }

    /// Prepares a backup: takes hold of the folder, clears up after a run that died, and looks what is there.
    ///
    /// - Throws: `StoreError.exists` where the folder has a store of that name with other content;
    ///   `StoreError.busyStaging` where another run is making that backup.
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

    /// Clears up after a run that died, where no backup is to be made: the store needs no migration any more.
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

    /// Copies the files, unless a backup with just this content is there.
    ///
    /// The caller makes sure that no one wrote to the store meanwhile.
    /// - Parameters:
    ///   - isCancelled: asked now and then; true ends the copy with an error.
    ///   - onStep: told after each step that leaves something else on disk.
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

    /// The backup stays: the store has changed.
    public func keep() {
        isSettled = true
        staging.remove()
    }

    /// Keeps the backup unless the store holds what it held: for where no one can say whether it has changed.
    public func settle() {
        if isOurs, !StoreComparison.isSame(source, files) { keep() } else { discard() }
    }

    /// The store has not changed: takes away what this run has made.
    public func discard() {
        guard !isSettled else {
            staging.remove()
            return
        }
        isSettled = true
        // Back into the hidden folder first: whoever dies from here on leaves what the next run clears up.
        if isOurs, FileSystem.isThere(files.path), !FileSystem.isThere(staged.path) {
            guard (try? FileSystem.renameExclusively(files.path, to: staged.path)) != nil else { return }
        }
        try? clearUp()
        staging.remove()
        if isNewFolder { rmdir(files.directory) }
    }

    /// Undoes what a run has left in the hidden folder, or of it.
    private func clearUp() throws(FileError) {
        // Without the main file beside it, or with that in its place too, the mark is what is left of a whole backup.
        if FileSystem.isThere(marker), FileSystem.isThere(staged.path),
            !FileSystem.isSameFile(staged.path, files.path)
        {
            // What is not there any more has moved out, or was about to.
            for (inside, outside) in zip(parts(of: staged), parts(of: files)).dropFirst()
            where !FileSystem.isThere(inside) || FileSystem.isSameFile(inside, outside) {
                try FileSystem.remove(outside)
            }
            try FileSystem.remove(staged.path)
        }
        for name in try FileSystem.names(in: staging.path) { try FileSystem.remove(staging.file(name)) }
    }

    /// The files of a store, the main one first.
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
