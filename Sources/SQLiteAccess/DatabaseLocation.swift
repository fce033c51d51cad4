internal import CSQLite
internal import Glibc
import TextEncodings

/// The location of a database file, with symbolic links resolved, since SQLite puts its other files beside the real
/// one.
struct DatabaseLocation: Sendable {
    /// The path as given by the caller.
    let given: String
    /// The path of the file that is opened.
    let resolved: String
    /// The size in bytes; nil if the file does not exist.
    let size: Int64?

    var isMemory: Bool { given == ":memory:" || given.isEmpty }

    var writeAheadLog: String { resolved + "-wal" }
    var sharedMemory: String { resolved + "-shm" }
    var journal: String { resolved + "-journal" }

    /// - Throws: "cannot open" for a missing file, a directory, a pipe, and a path that contains NUL.
    init(path: String, mustExist: Bool) throws(SQLiteError) {
        given = path
        guard path != ":memory:", !path.isEmpty else {
            (resolved, size) = (path, nil)
            return
        }
        guard !path.utf8.contains(0) else {
            throw SQLiteError(code: SQLITE_CANTOPEN, message: "the path holds a NUL", path: path)
        }
        let real = unsafe realpath(path, nil)
        guard let real = unsafe real else {
            let reason = errno
            guard !mustExist, reason == ENOENT else {
                throw Self.cannotOpen(path, SystemFile.explanation(reason))
            }
            (resolved, size) = (path, nil)
            return
        }
        resolved = unsafe String(cString: real)
        unsafe free(real)
        size = try SystemFile.size(of: resolved, for: path)
        // SQLite would open a pipe with one of these names, and wait forever.
        for other in [resolved + "-wal", resolved + "-shm", resolved + "-journal"] {
            _ = try SystemFile.size(of: other, for: path)
        }
    }

    static func cannotOpen(_ path: String, _ reason: String, code: Int32 = SQLITE_CANTOPEN) -> SQLiteError {
        SQLiteError(code: code, message: "cannot open the database file: \(reason)", path: path)
    }

    /// Returns a URI in which every byte with a meaning (`?`, `#`, `%`, ...) is encoded, with the parameters.
    func uri(_ parameters: [String]) -> String {
        isMemory ? given : Self.uri(resolved, parameters)
    }

    static func uri(_ path: String, _ parameters: [String]) -> String {
        var bytes: [UInt8] = Array("file:".utf8)
        if path.utf8.first == UInt8(ascii: "/") {
            // Two slashes begin an authority; an empty one keeps a path that begins with two slashes intact.
            bytes += Array("//".utf8)
        } else {
            // A relative path that contains a colon, or the name ":memory:", stays a path.
            bytes += Array("./".utf8)
        }
        bytes.append(uriPath: path)
        return String(decoding: bytes, as: UTF8.self) + "?" + parameters.joined(separator: "&")
    }
}

extension DatabaseLocation {
    /// Makes the location of the null device, which every system has.
    init(nullDevice: ()) {
        (given, resolved, size) = ("/dev/null", "/dev/null", 0)
    }
}
