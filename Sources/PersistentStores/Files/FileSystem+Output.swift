import Glibc
import SQLiteAccess

extension FileSystem {
    /// Whether a file is an SQLite database by its first bytes, whatever its name says.
    public static func isDatabase(_ path: String) -> Bool {
        !isDirectory(path) && (try? DatabaseFile(path: path))?.isSQLite == true
    }

    /// The bytes of a file, or the first of them; also of one whose size the system does not tell.
    public static func contents(of path: String, upTo maximumSize: Int) throws(FileError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError(.open, path) }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: maximumSize)
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress.map { $0 + done }, $0.count - done) }
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
    public static func writeFile(_ bytes: [UInt8], to path: String) throws(FileError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
        guard descriptor >= 0 else { throw FileError(.create, path) }
        defer { close(descriptor) }
        var written = 0
        while written < bytes.count {
            let step = bytes.withUnsafeBytes { buffer in
                write(descriptor, buffer.baseAddress.map { $0 + written }, buffer.count - written)
            }
            guard step >= 0 else {
                if errno == EINTR { continue }
                throw FileError(.write, path)
            }
            written += step
        }
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw FileError(.synchronize, path) }
    }

    /// Renames without replacing anything; an existing destination is an error with the number `EEXIST`.
    static func renameExclusively(_ source: String, to destination: String) throws(FileError) {
        if !isDirectory(source) {
            guard link(source, destination) != 0 else { return try remove(source) }
            if errno == EEXIST { throw FileError(.create, destination, number: EEXIST) }
        }
        if exists(destination) || isLink(destination) { throw FileError(.create, destination, number: EEXIST) }
        // Of folders the system itself replaces none but an empty one; for files this is the way without links.
        try rename(source, to: destination)
    }
}
