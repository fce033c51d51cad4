import Glibc
import SQLiteAccess

extension FileSystem {
    /// Whether a file is an SQLite database by its first bytes, whatever its name says.
    public static func isDatabase(_ path: String) -> Bool {
        !isDirectory(path) && (try? DatabaseFile(path: path))?.isSQLite == true
    }

    /// The bytes of a file, or the first of them; also of one whose size the system does not tell.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - maximumSize: the bytes that are read at most.
    ///   - followsLinks: false for an error where the path itself is a link.
    /// - Throws: `FileError` if the file cannot be opened or read.
    public static func contents(
        of path: String, upTo maximumSize: Int, followsLinks: Bool = true
    ) throws(FileError) -> [UInt8] {
        // What is not a file of bytes, a pipe above all, must not hold us up where it was not asked for.
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

    /// Writes a new file with all its bytes on the device; the file must not exist.
    /// - Throws: `FileError` if the file exists, or cannot be written.
    public static func writeFile(_ bytes: [UInt8], to path: String) throws(FileError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
        guard descriptor >= 0 else { throw FileError(.create, path) }
        defer { close(descriptor) }
        try write(bytes, to: descriptor, of: path)
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw FileError(.synchronize, path) }
    }

    /// Writes a file for others to read, beside its place and then under its name: no one sees half of it.
    ///
    /// What is not a regular file, such as a pipe or a device, is written to as it is.
    /// - Parameters:
    ///   - bytes: the whole content.
    ///   - path: the path of the file, or of a pipe or device.
    ///   - replacing: whether a file that is there gives way, of a link the one that it leads to; false to fail with
    ///     `StoreError.exists`.
    /// - Throws: `StoreError` if the file is there and must not be replaced, if it is a folder, or if it cannot be
    ///   written.
    public static func writeOutput(_ bytes: [UInt8], to path: String, replacing: Bool) throws(StoreError) {
        if isStream(path) {
            do throws(FileError) {
                let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_APPEND)
                guard descriptor >= 0 else { throw FileError(.write, path) }
                defer { close(descriptor) }
                return try write(bytes, to: descriptor, of: path)
            } catch {
                throw StoreError(error)
            }
        }
        if isDirectory(path) { throw StoreError(FileError(.write, path, number: EISDIR)) }
        let output = try StagedOutput(for: replacing ? resolvingLinks(path) : path, replacing: replacing)
        try output.write(bytes)
        try output.finish()
    }

    /// Whether a path leads to a pipe, a device, or a descriptor of a process: renaming over it would break it.
    public static func isStream(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else { return false }
        return status.st_mode & S_IFMT != S_IFREG
            || ["/dev/std", "/dev/fd/", "/proc/"].contains { path.hasPrefix($0) }
    }

    static func write(_ bytes: [UInt8], to descriptor: Int32, of path: String) throws(FileError) {
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
        // Of folders the system itself replaces none but an empty one; for files this is the way without links.
        try rename(source, to: destination)
    }
}
