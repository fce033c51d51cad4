internal import CSQLite
internal import Glibc

/// A journal or log beside a database, on which SQLite takes no locks, so that it may be closed at any time.
final class LockFreeFile {
    private let descriptor: Int32
    private let path: String
    private let database: String

    /// Returns nil if the file does not exist.
    init?(_ path: String, for database: String) throws(SQLiteError) {
        self.path = path
        self.database = database
        // A pipe that was put there in the last moment must not block the call.
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor < 0 else { return }
        let reason = errno
        if reason == ENOENT { return nil }
        throw DatabaseLocation.cannotOpen(database, "\(path): \(SystemFile.explanation(reason))")
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    func size() throws(SQLiteError) -> Int64 {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw failure() }
        return Int64(status.st_size)
    }

    /// Fills a buffer from an offset, with zeros after the end of the file.
    func read(into bytes: inout [UInt8], at offset: Int64) throws(SQLiteError) {
        var filled = 0
        while filled < bytes.count {
            let count = unsafe bytes.withUnsafeMutableBytes {
                unsafe pread(descriptor, $0.baseAddress?.advanced(by: filled), $0.count - filled, Int(offset) + filled)
            }
            if count > 0 {
                filled += count
            } else if count == 0 {
                for index in filled..<bytes.count { bytes[index] = 0 }
                return
            } else if errno != EINTR {
                throw failure()
            }
        }
    }

    /// Returns bytes from an offset, with zeros after the end of the file.
    func read(_ count: Int, at offset: Int64) throws(SQLiteError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        try read(into: &bytes, at: offset)
        return bytes
    }

    private func failure() -> SQLiteError {
        let reason = SystemFile.explanation(errno)
        return SQLiteError(code: SQLITE_IOERR, message: "cannot read \(path): \(reason)", path: database)
    }
}
