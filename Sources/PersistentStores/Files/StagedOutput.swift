import Glibc

/// Output files that are made in a hidden folder beside their final place and moved there when all are complete.
///
/// The output is one file, written block by block; a folder with its files; or files for an existing folder. A run that
/// was killed leaves the hidden folder behind, and the next run for the same destination removes it. A running process
/// holds an advisory lock on it. Existing files at the hidden path are never written to.
public final class StagedOutput {
    private let destination: String
    private let isReplacing: Bool
    private let staging: StagingFolder

    /// The descriptor of the single file, while it is written.
    private var descriptor: Int32 = -1

    /// How many of its bytes the system has begun to write to the device, and how many were written: otherwise all
    /// would be left to the end.
    private var (begun, written): (Int64, Int64) = (0, 0)
    /// The number of bytes that are handed to the device at a time. Synchronizing them would also wait for the bytes of
    /// other files.
    private static let begunBytes: Int64 = 4 << 20

    /// Whether the hidden folder keeps a replaced file or folder that could not be put back.
    private var isKept = false

    /// Makes the hidden folder.
    ///
    /// - Parameters:
    ///   - destination: the path of a file or a folder; links are not followed.
    ///   - replacing: whether an existing file or folder is replaced; false to fail with `StoreError.exists`.
    /// - Throws: `StoreError.busyStaging` if another run is writing the same destination.
    public init(for destination: String, replacing: Bool) throws(StoreError) {
        var destination = destination
        while destination.count > 1, destination.hasSuffix("/") { destination.removeLast() }
        self.destination = destination
        isReplacing = replacing
        if !replacing, FileSystem.isThere(destination) { throw StoreError(.exists, path: destination) }
        let path = StagedFile.stagingPath(for: destination)
        // Left by a killed run that made a database there.
        if !FileSystem.isDirectory(path), FileSystem.isThere(path) { StagedFile.removeStale(for: destination) }
        staging = try StagingFolder(path)
        do throws(FileError) {
            // A run was killed between its two renames: the old file or folder gets its name back.
            if !FileSystem.exists(destination), FileSystem.exists(former) {
                try FileSystem.rename(former, to: destination)
            }
            for name in try FileSystem.names(in: staging.path) { try FileSystem.remove(staging.file(name)) }
        } catch {
            throw StoreError(error)
        }
        if !replacing, FileSystem.isThere(destination) {
            staging.remove()
            throw StoreError(.exists, path: destination)
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        if !isKept { staging.remove() }
    }

    private var content: String { staging.file("content") }

    /// Where the replaced file or folder is moved on systems that cannot exchange names.
    private var former: String { staging.file("former") }

    // MARK: Content

    /// Makes the destination a folder, and returns the folder in which its files are made until `finish()`.
    /// - Throws: `StoreError` if the folder cannot be made.
    public func makeFolder() throws(StoreError) -> String {
        do throws(FileError) {
            try FileSystem.createDirectory(content)
            return content
        } catch {
            throw StoreError(error)
        }
    }

    /// Makes the destination a folder, and writes a file in it, with missing subfolders.
    /// - Throws: `StoreError` if the file exists already, or the disk is full or fails.
    public func write(_ bytes: [UInt8], to path: String) throws(StoreError) {
        let file = content + "/" + path
        do throws(FileError) {
            try FileSystem.createDirectory(FileSystem.directory(of: file))
            try FileSystem.writeFile(bytes, to: file)
        } catch {
            throw StoreError(error)
        }
    }

    /// Makes the destination a single file, and appends bytes to it.
    /// - Throws: `StoreError` if the file exists already, or the disk is full or fails.
    public func write(_ bytes: [UInt8]) throws(StoreError) {
        do throws(FileError) {
            if descriptor < 0 {
                descriptor = open(content, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
                guard descriptor >= 0 else { throw FileError(.create, destination) }
            }
            try FileSystem.write(bytes[...], to: descriptor, of: destination)
            written += Int64(bytes.count)
            if written - begun >= Self.begunBytes {
                FileSystem.beginWriting(begun..<written, of: descriptor)
                begun = written
            }
        } catch {
            throw StoreError(error)
        }
    }

    // MARK: The place

    /// Moves the output to its destination, atomically and durably; if its folder cannot be synchronized, the old file
    /// or folder is restored. A replaced file passes on its owner, group and permissions.
    /// - Throws: `StoreError` with code `exists` if something at the destination is not to be replaced; another one if
    ///   the file cannot be synchronized or renamed.
    public func finish() throws(StoreError) {
        if !FileSystem.isThere(content) { try write([]) }
        do throws(FileError) {
            if descriptor >= 0 {
                guard fsync(descriptor) == 0 || errno == EINVAL else { throw FileError(.synchronize, destination) }
                if isReplacing { FileRights(of: destination)?.give(to: descriptor) }
            } else {
                try synchronize(content)
            }
            let isReplaced = isReplacing && FileSystem.isThere(destination)
            let isExchanged = isReplaced ? try replace(destination, by: content) : false
            if !isReplaced { try FileSystem.renameExclusively(content, to: destination) }
            do throws(FileError) {
                try FileSystem.synchronize(FileSystem.directory(of: destination))
            } catch {
                giveBack(isReplaced: isReplaced, isExchanged: isExchanged)
                throw error
            }
        } catch {
            throw error.number == EEXIST ? StoreError(.exists, path: error.path) : StoreError(error)
        }
    }

    /// Moves all files from `makeFolder()` into an existing folder: all of them, or none after an error. Only if the
    /// process is killed between two renames does the folder get some of them.
    /// - Throws: `StoreError` with code `exists` if an existing file is not to be replaced; another one if a file
    ///   cannot be synchronized or renamed.
    public func finish(into folder: String) throws(StoreError) {
        var placed: [(from: String, to: String, isExchanged: Bool)] = []
        var made: [String] = []
        do throws(FileError) {
            try synchronize(content)
            let files = try FileSystem.files(below: content)
            let places = files.map { folder + $0.dropFirst(content.count) }
            // Most errors are found before anything has changed.
            for place in places where FileSystem.isThere(place) {
                guard isReplacing, !FileSystem.isDirectory(place) else {
                    throw FileError(.create, place, number: EEXIST)
                }
            }
            for (from, to) in zip(files, places) {
                var missing: [String] = []
                var parent = FileSystem.directory(of: to)
                while !FileSystem.isDirectory(parent) {
                    missing.append(parent)
                    parent = FileSystem.directory(of: parent)
                }
                try FileSystem.createDirectory(FileSystem.directory(of: to))
                made += missing.reversed()
                if isReplacing, FileSystem.isThere(to) {
                    FileRights(of: to)?.give(to: from)
                    if try FileSystem.exchange(from, to) {
                        placed.append((from, to, true))
                    } else {
                        try FileSystem.rename(from, to: to)
                    }
                } else {
                    try FileSystem.renameExclusively(from, to: to)
                    placed.append((from, to, false))
                }
            }
            for place in Set(places.map(FileSystem.directory(of:))) { try FileSystem.synchronize(place) }
        } catch {
            for (from, to, isExchanged) in placed.reversed() {
                if isExchanged { _ = try? FileSystem.exchange(from, to) } else { unlink(to) }
            }
            for path in made.reversed() { rmdir(path) }
            throw error.number == EEXIST ? StoreError(.exists, path: error.path) : StoreError(error)
        }
    }

    /// Undoes a move that cannot be made durable, as far as possible: an error means that nothing has changed.
    private func giveBack(isReplaced: Bool, isExchanged: Bool) {
        if isExchanged {
            _ = try? FileSystem.exchange(content, destination)
        } else if !isReplaced {
            try? FileSystem.rename(destination, to: content)
        } else if FileSystem.isThere(former), (try? FileSystem.rename(destination, to: content)) != nil {
            isKept = (try? FileSystem.rename(former, to: destination)) == nil
        }
    }

    /// Exchanges the old and the new file or folder. If the system cannot exchange names, a file is replaced by a
    /// rename; a folder is first moved aside, and moved back if the new one cannot take its place.
    /// - Returns: whether the old one is now where the new one was.
    private func replace(_ old: String, by new: String) throws(FileError) -> Bool {
        let isFolder = FileSystem.isDirectory(old) && !FileSystem.isLink(old)
        // A folder must not replace a file.
        if isFolder || !FileSystem.isDirectory(new), try FileSystem.exchange(new, old) { return true }
        guard isFolder else {
            try FileSystem.rename(new, to: old)
            return false
        }
        try FileSystem.rename(old, to: former)
        do throws(FileError) {
            try FileSystem.rename(new, to: old)
        } catch {
            // If even that fails, it stays in the hidden folder, and the next run puts it back.
            isKept = true
            try FileSystem.rename(former, to: old)
            isKept = false
            throw error
        }
        return false
    }

    /// Synchronizes the files of a folder, and the entries of the folder and its subfolders, to the device.
    private func synchronize(_ folder: String) throws(FileError) {
        for name in try FileSystem.names(in: folder) {
            let path = folder + "/" + name
            if FileSystem.isDirectory(path) { try synchronize(path) } else { try FileSystem.synchronize(path) }
        }
        try FileSystem.synchronize(folder)
    }
}
