import Glibc
import SQLiteAccess

extension FileSystem {
    /// Returns whether the first bytes of a file are those of an SQLite database, regardless of its name.
    public static func isDatabase(_ path: String) -> Bool {
        !isDirectory(path) && (try? DatabaseFile(path: path))?.isSQLite == true
    }

    /// Returns the bytes of a file, or the first of them; also works if the system does not report the file's size.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - maximumSize: the maximum number of bytes that are read.
    ///   - followsLinks: whether a link at the path is followed; false to throw an error for one.
    /// - Throws: `FileError` if the file cannot be opened or read.
    public static func contents(
        of path: String, upTo maximumSize: Int, followsLinks: Bool = true
    ) throws(FileError) -> [UInt8] {
        // Anything but a regular file, especially a pipe, must not block the call, unless the user named it.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | (followsLinks ? 0 : O_NOFOLLOW | O_NONBLOCK))
        guard descriptor >= 0 else { throw FileError(.open, path) }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: maximumSize)
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeMutableBytes {
                read(descriptor, $0.baseAddress.map { $0 + done }, $0.count - done)
            }
            if count == 0 { break }
            guard count > 0 else {
                if errno == EINTR { continue }
                throw FileError(.read, path)
            }
            done += count
        }
        bytes.removeLast(bytes.count - done)
        return bytes
    }

    /// Writes a new file and synchronizes it to the device; the file must not exist.
    /// - Throws: `FileError` if the file exists, or cannot be written.
    public static func writeFile(_ bytes: [UInt8], to path: String) throws(FileError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
        guard descriptor >= 0 else { throw FileError(.create, path) }
        defer { close(descriptor) }
        try write(bytes[...], to: descriptor, of: path)
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw FileError(.synchronize, path) }
    }

    /// Writes an output file beside its place and then renames it, so that a partial file is never visible.
    ///
    /// Anything but a regular file, such as a pipe or a device, is written to directly.
    /// - Parameters:
    ///   - bytes: the whole content.
    ///   - path: the path of the file, or of a pipe or device.
    ///   - replacing: whether an existing file, or the target of a link, is replaced; false to fail with
    ///     `StoreError.exists`.
    /// - Throws: `StoreError` if the file exists and must not be replaced, if it is a folder, or if it cannot be
    ///   written.
    public static func writeOutput(_ bytes: [UInt8], to path: String, replacing: Bool) throws(StoreError) {
        if isStream(path) {
            do throws(FileError) {
                let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_APPEND)
                guard descriptor >= 0 else { throw FileError(.write, path) }
                defer { close(descriptor) }
                return try write(bytes[...], to: descriptor, of: path)
            } catch {
                throw StoreError(error)
            }
        }
        if isDirectory(path) { throw StoreError(FileError(.write, path, number: EISDIR)) }
        let output = try StagedOutput(for: replacing ? resolvingLinks(path) : path, replacing: replacing)
        try output.write(bytes)
        try output.finish()
    }

    /// Returns whether a path leads to a pipe, a device, or a descriptor of a process, which a rename would break.
    public static func isStream(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else { return false }
        return status.st_mode & S_IFMT != S_IFREG
            || ["/dev/std", "/dev/fd/", "/proc/"].contains { path.hasPrefix($0) }
    }

    /// Writes all bytes at the position of a descriptor.
    ///
    /// - Parameter path: the file's path, for the error.
    static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32, of path: String) throws(FileError) {
        var written = 0
        while written < bytes.count {
            let step = bytes.withUnsafeBytes { buffer in
                Glibc.write(descriptor, buffer.baseAddress.map { $0 + written }, buffer.count - written)
            }
            guard step >= 0 else {
                if errno == EINTR { continue }
                throw FileError(.write, path)
            }
            written += step
        }
    }

    /// Renames without replacing anything; an existing destination is an error with the number `EEXIST`.
    static func renameExclusively(_ source: String, to destination: String) throws(FileError) {
        if !isDirectory(source) {
            if link(source, destination) == 0 {
                guard unlink(source) != 0 else { return }
                let error = FileError(.rename, source)
                unlink(destination)
                throw error
            }
            if errno == EEXIST { throw FileError(.create, destination, number: EEXIST) }
        }
        if exists(destination) || isLink(destination) { throw FileError(.create, destination, number: EEXIST) }
        // The system replaces an empty folder, but no other; files are renamed this way if the file system has no hard
        // links.
        try rename(source, to: destination)
    }
}
