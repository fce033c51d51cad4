internal import CSQLite

/// How a database is read without writing a byte anywhere: not to it, its `-wal`, its `-shm` or its `-journal`.
///
/// SQLite's `mode=ro` alone does write: it makes and fills a `-shm` for a WAL database, deletes the `-wal` beside an
/// empty file, and moves the read marks in a `-shm`. All routes go through `ReadOnlyFileSystem`, which opens every
/// file of the database for reading only and deletes nothing. They differ in where the index of the log comes from:
///
/// | state of the files | route |
/// |---|---|
/// | empty file | `immutable`: no content, whatever lies beside it |
/// | a hot journal (a writer died in a transaction) | `recoveredCopy` |
/// | a `-wal` and a `-shm` | `shared` |
/// | a `-wal`, no `-shm` (a copied store) | `privateIndex` |
/// | WAL mode, no `-wal` | `immutable` |
/// | rollback mode | `shared` |
///
/// Of a live writer only `shared` and `recoveredCopy` are fully protected: a WAL writer that begins after a read by
/// `privateIndex` or `immutable` can change pages under it, since the only lock against that lies in a `-shm`.
enum ReadOnlyRoute: Sendable {
    /// With locks. The `-shm` of a live writer is mapped read-only and its snapshot is used; where no one is alive
    /// SQLite trusts no `-shm` and indexes the log in this process's memory.
    case shared
    /// With locks on the database file, and an index of the log in this process's memory.
    case privateIndex
    /// No locks, and no file but the database is looked at.
    case immutable
    /// A copy in the folder for temporary files is rolled back there, opened, and its name deleted at once.
    case recoveredCopy

    /// Opens a database by the route that fits it, and looks again if the files change meanwhile.
    /// - Parameter attempt: opens the URI and reads the first page, or throws and leaves nothing open.
    static func open(
        _ location: DatabaseLocation, busyTimeout milliseconds: Int32,
        attempt: (String) throws(SQLiteError) -> Void
    ) throws(SQLiteError) {
        guard !location.isMemory else { return try attempt(location.given) }
        try ReadOnlyFileSystem.register()
        var failed: ReadOnlyRoute?
        // A writer that ends or begins moves the files from one row of the table to another; it does so a few times
        // at most.
        for remaining in (0..<8).reversed() {
            let current = try DatabaseLocation(path: location.given, mustExist: true)
            var route = try fitting(current)
            if route == .shared, failed == .shared, try WriteAheadLogHeader(current) != nil {
                // The -shm may not be read.
                route = .privateIndex
            }
            do throws(SQLiteError) {
                if route == .recoveredCopy {
                    guard let copy = try RecoveredCopy(of: current, busyTimeout: milliseconds) else { continue }
                    // The connection opens the copy by name; after that the name may go.
                    defer { withExtendedLifetime(copy) {} }
                    try attempt(copy.uri)
                } else {
                    try attempt(current.uri(route.parameters))
                }
                return
            } catch {
                guard error.isCannotOpen || error.isReadOnly || error.isInputOutput else { throw error }
                // Nothing is written: a reader that is told so met a log or a journal that somebody changes.
                guard remaining > 0 || error.isReadOnly else { throw error }
                failed = route
            }
        }
        throw SQLiteError(
            code: SQLITE_BUSY, message: "the files of the database change too fast to be read", path: location.given)
    }

    private var parameters: [String] {
        switch self {
        case .shared: ["mode=ro", "vfs=\(ReadOnlyFileSystem.shared)", "readonly_shm=1"]
        case .privateIndex: ["mode=ro", "vfs=\(ReadOnlyFileSystem.privateIndex)"]
        case .immutable, .recoveredCopy: ["mode=ro", "vfs=\(ReadOnlyFileSystem.shared)", "immutable=1"]
        }
    }

    private static func fitting(_ location: DatabaseLocation) throws(SQLiteError) -> ReadOnlyRoute {
        guard let size = location.size, size > 0 else { return .immutable }
        let file = try DatabaseFileHandle(location)
        if try location.hasHotJournal(file) { return .recoveredCopy }
        if let log = try WriteAheadLogHeader(location) {
            let index = try SystemFile.size(of: location.sharedMemory, for: location.given)
            guard index != nil else { return .privateIndex }
            // SQLite 3.40 takes a log that begins wrongly, with a -shm that it may not write, for one that is
            // changing just now, and looks again for ten seconds; without a live writer there is nothing to wait for.
            if !log.isEmpty, !log.isReadable, try !file.isLogInUse() { return .privateIndex }
            return .shared
        }
        return (try DatabaseHeader(file))?.usesWriteAheadLog == true ? .immutable : .shared
    }
}
