internal import CSQLite

/// The ways to read a database without writing anything: neither to its file nor to its `-wal`, `-shm` or `-journal`.
///
/// SQLite's `mode=ro` alone does write: it makes and fills a `-shm` for a WAL database, deletes the `-wal` beside an
/// empty file, and moves the read marks in a `-shm`. All routes go through `ReadOnlyFileSystem`, which opens every file
/// of the database read-only and deletes nothing. They differ in the origin of the log's index:
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
/// Only `shared` and `recoveredCopy` are fully protected from live writers: a WAL writer that begins during a read by
/// `privateIndex` or `immutable` can change pages meanwhile, since the only lock against that is in a `-shm`.
enum ReadOnlyRoute: Sendable {
    /// With locks. The `-shm` of a live writer is mapped read-only, and its snapshot is used; without live writers
    /// SQLite does not trust a `-shm`, and indexes the log in this process's memory.
    case shared
    /// With locks on the database file, and an index of the log in this process's memory.
    case privateIndex
    /// Without locks, using only the database file.
    case immutable
    /// A copy is rolled back in the folder for temporary files, opened, and immediately unlinked.
    case recoveredCopy

    /// Opens a database by the appropriate route, and tries again if the files change meanwhile.
    /// - Parameter attempt: opens the URI and reads the first page; if it throws, it leaves nothing open.
    static func open(
        _ location: DatabaseLocation, busyTimeout milliseconds: Int32,
        attempt: (String) throws(SQLiteError) -> Void
    ) throws(SQLiteError) {
        guard !location.isMemory else { return try attempt(location.given) }
        try ReadOnlyFileSystem.register()
        var failed: ReadOnlyRoute?
        // A writer that ends or begins changes the row of the table that applies; that happens only a few times.
        for remaining in (0..<8).reversed() {
            let current = try DatabaseLocation(path: location.given, mustExist: true)
            var route = try fitting(current)
            if route == .shared, failed == .shared, try WriteAheadLogHeader(current) != nil {
                // The -shm may not be readable.
                route = .privateIndex
            }
            do throws(SQLiteError) {
                if route == .recoveredCopy {
                    guard let copy = try RecoveredCopy(of: current, busyTimeout: milliseconds) else { continue }
                    // The connection opens the copy by name, which is no longer needed afterwards.
                    defer { withExtendedLifetime(copy) {} }
                    try attempt(copy.uri)
                } else {
                    try attempt(current.uri(route.parameters))
                }
                return
            } catch {
                guard error.isCannotOpen || error.isReadOnly || error.isInputOutput else { throw error }
                // Nothing is written: for a reader, this error means that a log or a journal is being changed.
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
            // If a log has an invalid beginning and its -shm cannot be written, SQLite 3.40 assumes that it is just
            // being changed, and retries for ten seconds; without a live writer there is nothing to wait for.
            if !log.isEmpty, !log.isReadable, try !file.isLogInUse() { return .privateIndex }
            return .shared
        }
        return (try DatabaseHeader(file))?.usesWriteAheadLog == true ? .immutable : .shared
    }
}
