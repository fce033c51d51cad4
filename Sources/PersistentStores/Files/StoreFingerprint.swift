import Glibc

/// What a store's files look like from outside: enough to notice that somebody wrote to them.
///
/// Only `stat` is used: to open and close a file would drop the locks that this process holds on it.
public struct StoreFingerprint: Sendable, Equatable {
    private struct File: Sendable, Equatable {
        let inode: UInt64
        let size: Int64
        let seconds: Int
        let nanoseconds: Int
    }

    private let main: File?
    private let writeAheadLog: File?

    public init(of files: StoreFiles) {
        main = Self.file(files.path)
        // An empty log says the same as none: SQLite makes one when it opens the store.
        writeAheadLog = Self.file(files.writeAheadLog).flatMap { $0.size == 0 ? nil : $0 }
    }

    private static func file(_ path: String) -> File? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return File(
            inode: UInt64(status.st_ino), size: Int64(status.st_size), seconds: status.st_mtim.tv_sec,
            nanoseconds: status.st_mtim.tv_nsec)
    }
}
