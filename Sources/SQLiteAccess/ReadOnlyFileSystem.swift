internal import CSQLite

/// Two file systems for SQLite that stand before its own and cannot write to a database.
///
/// A VFS is asked to open, delete and test files. These hand everything on, with two changes: the files of a database are
/// opened for reading only, and nothing is deleted. Files that SQLite makes for itself (sorting, temporary tables) are made.
enum ReadOnlyFileSystem {
    /// With all of SQLite's locks.
    static let locking = "ferry-read-only"
    /// Takes a shared lock where any higher is asked for: exclusive locking mode believes that it has its lock.
    static let sharedLockOnly = "ferry-read-only-private"

    /// Makes both known to SQLite, once per process.
    static func register() throws(SQLiteError) {
        guard registration == SQLITE_OK else {
            throw SQLiteError(code: registration, message: "SQLite's file system cannot be extended")
        }
    }

    private static let registration: Int32 = {
        guard unsafe sharedLockMethods != nil else { return SQLITE_CANTOPEN }
        let code = unsafe add(locking) { unsafe openReadOnly($0, $1, $2, $3, $4) }
        guard code == SQLITE_OK else { return code }
        return unsafe add(sharedLockOnly) { system, name, file, flags, granted in
            let code = unsafe openReadOnly(system, name, file, flags, granted)
            if code == SQLITE_OK, flags & SQLITE_OPEN_MAIN_DB != 0, let file = unsafe file {
                unsafe file.pointee.pMethods = unsafe sharedLockMethods.map { unsafe UnsafePointer($0) }
            }
            return code
        }
    }()

    private typealias OpenFile = @convention(c) (
        UnsafeMutablePointer<sqlite3_vfs>?, sqlite3_filename?, UnsafeMutablePointer<sqlite3_file>?, Int32,
        UnsafeMutablePointer<Int32>?
    ) -> Int32

    /// Registers a copy of the default file system that opens in another way. The copy lives as long as the process.
    ///
    /// Its `pAppData` holds the original, to which every call is handed on that depends on the file system; the calls that
    /// stay as they are (randomness, time, sleep) do not look at it.
    private static func add(_ name: String, _ open: OpenFile) -> Int32 {
        guard let original = unsafe sqlite3_vfs_find(nil) else { return SQLITE_ERROR }
        let system = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        unsafe system.initialize(to: original.pointee)
        let characters = UnsafeMutableBufferPointer<CChar>.allocate(capacity: name.utf8.count + 1)
        _ = unsafe characters.initialize(from: name.utf8.map { CChar(bitPattern: $0) } + [0])
        unsafe system.pointee.zName = unsafe UnsafePointer(characters.baseAddress)
        unsafe system.pointee.pNext = nil
        unsafe system.pointee.pAppData = UnsafeMutableRawPointer(original)
        unsafe system.pointee.xOpen = open
        // "Done": the pager deletes the log beside an empty database, and fails where that fails.
        unsafe system.pointee.xDelete = { _, _, _ in SQLITE_OK }
        unsafe system.pointee.xAccess = { system, name, question, answer in
            guard let original = unsafe Self.original(system) else { return ExtendedCode.failedAccess }
            return unsafe original.pointee.xAccess(original, name, question, answer)
        }
        unsafe system.pointee.xFullPathname = { system, name, capacity, buffer in
            guard let original = unsafe Self.original(system) else { return SQLITE_CANTOPEN }
            return unsafe original.pointee.xFullPathname(original, name, capacity, buffer)
        }
        return unsafe sqlite3_vfs_register(system, 0)
    }

    private static func original(_ system: UnsafeMutablePointer<sqlite3_vfs>?) -> UnsafeMutablePointer<sqlite3_vfs>? {
        unsafe system?.pointee.pAppData?.assumingMemoryBound(to: sqlite3_vfs.self)
    }

    private static func openReadOnly(
        _ system: UnsafeMutablePointer<sqlite3_vfs>?, _ name: sqlite3_filename?,
        _ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32, _ granted: UnsafeMutablePointer<Int32>?
    ) -> Int32 {
        guard let original = unsafe Self.original(system) else { return SQLITE_CANTOPEN }
        let ownedByDatabase =
            SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL | SQLITE_OPEN_WAL
        var flags = flags
        if flags & ownedByDatabase != 0 {
            flags &= ~(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_DELETEONCLOSE)
            flags |= SQLITE_OPEN_READONLY
        }
        return unsafe original.pointee.xOpen(original, name, file, flags, granted)
    }

    /// The calls on one open file of the default file system; the same for every file, found by opening an empty one.
    nonisolated(unsafe) private static let fileMethods: UnsafePointer<sqlite3_io_methods>? = {
        guard let file = try? DatabaseFileHandle(DatabaseLocation(nullDevice: ())) else {
            return nil
        }
        return unsafe file.methods
    }()

    /// The same calls with a shared lock at most.
    nonisolated(unsafe) private static let sharedLockMethods: UnsafeMutablePointer<sqlite3_io_methods>? = {
        guard let original = unsafe fileMethods else { return nil }
        let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        unsafe methods.initialize(to: original.pointee)
        unsafe methods.pointee.xLock = { file, level in
            guard let original = unsafe fileMethods else { return ExtendedCode.failedLock }
            return unsafe original.pointee.xLock(file, min(level, SQLITE_LOCK_SHARED))
        }
        return unsafe methods
    }()
}
