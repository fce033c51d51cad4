internal import CSQLite
internal import Glibc

/// The few file operations that SQLite does not offer. None of them opens a database file or its `-shm`, since closing
/// a descriptor would drop the locks that this process's connections hold on it.
enum SystemFile {
    /// Returns the size of a regular file in bytes; nil if it does not exist.
    /// - Throws: "cannot open" for a directory, a pipe, a device, and a folder that may not be searched.
    static func size(of path: String, for database: String) throws(SQLiteError) -> Int64? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else {
            let reason = errno
            if reason == ENOENT { return nil }
            throw DatabaseLocation.cannotOpen(database, explanation(reason))
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return Int64(status.st_size)
        case S_IFDIR:
            throw DatabaseLocation.cannotOpen(database, "\(path) is a directory", code: ExtendedCode.directory)
        default: throw DatabaseLocation.cannotOpen(database, "\(path) is not a regular file")
        }
    }

    /// Returns `ENOLCK` if a lock was refused because no locks are available, which SQLite reports only as "busy";
    /// otherwise 0. Call it directly after SQLite's call.
    static func lockRefusal(_ code: Int32) -> Int32 {
        code & 0xff == SQLITE_BUSY && errno == ENOLCK ? ENOLCK : 0
    }

    /// Returns the system's message for an error number.
    static func explanation(_ number: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard unsafe strerror_r(number, &buffer, buffer.count) == 0 else { return "error \(number)" }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Returns why a file cannot be opened for reading, without opening it.
    static func reasonNotToRead(_ path: String) -> String {
        unsafe access(path, R_OK) == 0 ? "it cannot be opened for reading" : explanation(errno)
    }

    /// Whether the system limits the size of files for this process (`ulimit -f`).
    static var hasSizeLimit: Bool {
        var limit = rlimit()
        return unsafe getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 && limit.rlim_cur != rlim_t.max
    }
}
