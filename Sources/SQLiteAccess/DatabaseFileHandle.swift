internal import CSQLite

/// A database file read through SQLite's own file layer, below its pager.
///
/// POSIX drops all locks of a process on a file when the process closes any descriptor of it. SQLite's layer delays the
/// closing while one of its connections holds a lock; a separate descriptor would break those connections.
@safe
final class DatabaseFileHandle {
    private let memory: UnsafeMutableRawPointer
    /// SQLite's file, which is open as long as this handle lives.
    let file: UnsafeMutablePointer<sqlite3_file>
    private let name: sqlite3_filename
    private let path: String
    /// SQLite's methods for this file.
    let methods: UnsafePointer<sqlite3_io_methods>

    init(_ location: DatabaseLocation) throws(SQLiteError) {
        path = location.given
        guard let system = unsafe sqlite3_vfs_find(nil),
            let name = unsafe Self.name(location)
        else {
            throw SQLiteError(code: SQLITE_NOMEM, message: "out of memory", path: location.given)
        }
        let size = unsafe Int(system.pointee.szOsFile)
        let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
        unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
        let file = unsafe memory.assumingMemoryBound(to: sqlite3_file.self)
        let code = unsafe system.pointee.xOpen(system, name, file, SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_READONLY, nil)
        guard code == SQLITE_OK, let methods = unsafe file.pointee.pMethods else {
            if let methods = unsafe file.pointee.pMethods { _ = unsafe methods.pointee.xClose(file) }
            unsafe memory.deallocate()
            unsafe sqlite3_free_filename(name)
            throw DatabaseLocation.cannotOpen(location.given, SystemFile.reasonNotToRead(location.resolved))
        }
        unsafe self.memory = memory
        unsafe self.file = file
        unsafe self.name = name
        unsafe self.methods = methods
    }

    deinit {
        _ = unsafe methods.pointee.xClose(file)
        unsafe memory.deallocate()
        unsafe sqlite3_free_filename(name)
    }

    /// Returns the name in the form of SQLite's connections: with the names of the files beside it, and the parameter
    /// that forbids making or writing a `-shm`.
    private static func name(_ location: DatabaseLocation) -> sqlite3_filename? {
        unsafe "readonly_shm".withCString { key in
            unsafe "1".withCString { value in
                var parameters: [UnsafePointer<CChar>?] = unsafe [key, value]
                return unsafe sqlite3_create_filename(
                    location.resolved, location.journal, location.writeAheadLog, 1, &parameters)
            }
        }
    }

    /// Returns the current size of the file in bytes.
    func size() throws(SQLiteError) -> Int64 {
        var size: Int64 = 0
        try check(unsafe methods.pointee.xFileSize(file, &size))
        return size
    }

    /// Returns bytes from an offset, with zeros after the end of the file.
    func read(_ count: Int, at offset: Int64) throws(SQLiteError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        try read(into: &bytes, at: offset)
        return bytes
    }

    /// Fills a buffer from an offset, with zeros after the end of the file.
    func read(into bytes: inout [UInt8], at offset: Int64) throws(SQLiteError) {
        let code = unsafe bytes.withUnsafeMutableBytes {
            unsafe methods.pointee.xRead(file, $0.baseAddress, Int32(clamping: $0.count), offset)
        }
        if code != ExtendedCode.shortRead { try check(code) }
    }

    /// Returns whether this or another process is writing.
    func isReserved() throws(SQLiteError) -> Bool {
        var reserved: Int32 = 0
        try check(unsafe methods.pointee.xCheckReservedLock(file, &reserved))
        return reserved != 0
    }

    /// Returns whether a connection of this or another process has the log's index open, an existing `-shm`.
    func isLogInUse() throws(SQLiteError) -> Bool {
        var region: UnsafeMutableRawPointer?
        // The index consists of regions of 32 KiB; 0 means that the file must not grow.
        let code = unsafe methods.pointee.xShmMap(file, 0, 32768, 0, &region)
        _ = unsafe methods.pointee.xShmUnmap(file, 0)
        if code & 0xff != SQLITE_READONLY { try check(code) }
        return code != ExtendedCode.indexWithoutWriter
    }

    /// Acquires a shared lock, which prevents all writes to the file until the handle is released.
    func lockForReading() throws(SQLiteError) {
        try check(unsafe methods.pointee.xLock(file, SQLITE_LOCK_SHARED))
    }

    private func check(_ code: Int32) throws(SQLiteError) {
        guard code != SQLITE_OK else { return }
        let number = SystemFile.lockRefusal(code)
        let words = unsafe sqlite3_errstr(code).map { unsafe String(cString: $0) }
        throw SQLiteError(code: code, message: words ?? "unknown error", path: path, systemNumber: number)
    }
}
