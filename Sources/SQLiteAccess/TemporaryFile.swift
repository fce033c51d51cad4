internal import CSQLite
internal import Glibc

/// A file of this process, written from front to back or at an offset.
final class TemporaryFile {
    private let descriptor: Int32
    private let path: String
    private let database: String

    init(_ path: String, for database: String) throws(SQLiteError) {
        self.path = path
        self.database = database
        descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        if descriptor < 0 { throw Self.cannotWrite(path, errno, for: database) }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Writes a number of bytes, reading a mebibyte at a time.
    func copy(
        _ size: Int64, from read: (inout [UInt8], Int64) throws(SQLiteError) -> Void
    ) throws(SQLiteError) {
        var buffer = [UInt8](repeating: 0, count: Int(min(size, 1 << 20)))
        var offset: Int64 = 0
        while offset < size {
            if size - offset < Int64(buffer.count) { buffer.removeLast(buffer.count - Int(size - offset)) }
            try read(&buffer, offset)
            try write(buffer, at: offset)
            offset += Int64(buffer.count)
        }
    }

    func write(_ bytes: [UInt8], at offset: Int64) throws(SQLiteError) {
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.withUnsafeBytes {
                let start = unsafe $0.baseAddress?.advanced(by: written)
                return unsafe pwrite(descriptor, start, $0.count - written, Int(offset) + written)
            }
            if count > 0 {
                written += count
            } else if count == 0 || errno != EINTR {
                throw Self.cannotWrite(path, errno, for: database)
            }
        }
    }

    static func cannotWrite(_ path: String, _ reason: Int32, for database: String) -> SQLiteError {
        let code = reason == ENOSPC || reason == EDQUOT ? SQLITE_FULL : ExtendedCode.failedWrite
        return SQLiteError(
            code: code,
            message: "the database has a hot journal and is read from a copy, which cannot be written in \(path): "
                + SystemFile.explanation(reason) + "; set TMPDIR to another folder",
            path: database)
    }
}
