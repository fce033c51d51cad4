internal import CSQLite
internal import Glibc

/// Two virtual file systems for SQLite that wrap its own, and cannot write to a database.
///
/// A VFS opens, deletes and tests files. These forward all calls, with two changes: the files of a database are opened
/// read-only, and nothing is deleted. Files for SQLite's own use (sorting, temporary tables) are created.
enum ReadOnlyFileSystem {
    /// With all of SQLite's locks, and an existing `-shm`.
    static let shared = "ferry-read-only"
    /// With the locks of the database file, and a `PrivateLogIndex` instead of a `-shm`.
    static let privateIndex = "ferry-read-only-private"

    /// Registers both with SQLite, once per process.
    static func register() throws(SQLiteError) {
        guard registration == SQLITE_OK else {
            throw SQLiteError(code: registration, message: "SQLite's file system cannot be extended")
        }
    }

    private static let registration: Int32 = {
        guard unsafe PrivateIndexMethods.shared != nil else { return SQLITE_CANTOPEN }
        keepOwners()
        let code = unsafe add(shared) { unsafe openReadOnly($0, $1, $2, $3, $4) }
        guard code == SQLITE_OK else { return code }
        return unsafe add(privateIndex) { system, name, file, flags, granted in
            let code = unsafe openReadOnly(system, name, file, flags, granted)
            if code == SQLITE_OK, flags & SQLITE_OPEN_MAIN_DB != 0, let file = unsafe file {
                unsafe PrivateIndexMethods.install(in: file)
            }
            return code
        }
    }()

    private typealias OpenFile =
        @convention(c) (
            UnsafeMutablePointer<sqlite3_vfs>?, sqlite3_filename?, UnsafeMutablePointer<sqlite3_file>?, Int32,
            UnsafeMutablePointer<Int32>?
        ) -> Int32

    /// Registers a copy of the default file system that opens files differently. The copy lives as long as the process.
    ///
    /// Its `pAppData` is the original, to which all calls that depend on the file system are forwarded; unchanged
    /// functions (randomness, time, sleep) do not use it.
    private static func add(_ name: String, _ open: OpenFile) -> Int32 {
        guard let original = unsafe sqlite3_vfs_find(nil) else { return SQLITE_ERROR }
        let system = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        unsafe system.initialize(to: original.pointee)
        let characters = UnsafeMutableBufferPointer<CChar>.allocate(capacity: name.utf8.count + 1)
        _ = unsafe characters.initialize(from: name.utf8.map { CChar(bitPattern: $0) } + [0])
        unsafe system.pointee.zName = unsafe UnsafePointer(characters.baseAddress)
        unsafe system.pointee.pNext = nil
        unsafe system.pointee.pAppData = UnsafeMutableRawPointer(original)
        unsafe system.pointee.szOsFile = PrivateIndexMethods.fileSize(original.pointee.szOsFile)
        unsafe system.pointee.xOpen = open
        // Reports success: the pager deletes the log beside an empty database, and fails if that fails.
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
        guard let original = unsafe original(system) else { return SQLITE_CANTOPEN }
        let ownedByDatabase =
            SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL | SQLITE_OPEN_WAL
        var flags = flags
        if flags & ownedByDatabase != 0 {
            flags &= ~(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_DELETEONCLOSE)
            flags |= SQLITE_OPEN_READONLY
        }
        return unsafe original.pointee.xOpen(original, name, file, flags, granted)
    }

    /// Prevents changes of owners: when run by root, SQLite gives every log, index and journal that it opens to the
    /// owner of the database, even if it only reads. This excludes descriptors for reading, for all connections of the
    /// process.
    private static func keepOwners() {
        let change: @convention(c) (Int32, uid_t, gid_t) -> Int32 = { descriptor, user, group in
            fcntl(descriptor, F_GETFL) & O_ACCMODE == O_RDONLY ? 0 : fchown(descriptor, user, group)
        }
        guard let system = unsafe sqlite3_vfs_find(nil), let set = unsafe system.pointee.xSetSystemCall else { return }
        _ = unsafe set(system, "fchown", unsafeBitCast(change, to: sqlite3_syscall_ptr.self))
    }
}
