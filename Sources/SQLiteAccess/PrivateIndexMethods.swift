internal import CSQLite

/// SQLite's methods for an open database file, with those for the `-shm` implemented by a `PrivateLogIndex`.
///
/// The reference to the index is stored after the default file system's data about the file, in memory that SQLite
/// allocates.
enum PrivateIndexMethods {
    /// nil if the methods of the default file system cannot be determined.
    nonisolated(unsafe) static let shared: UnsafeMutablePointer<sqlite3_io_methods>? = {
        guard let original = unsafe original else { return nil }
        let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        unsafe methods.initialize(to: original.pointee)
        unsafe methods.pointee.xShmMap = { file, region, size, make, address in
            guard let file = unsafe file, let index = unsafe index(of: file), region >= 0, size > 0 else {
                return ExtendedCode.failedIndex
            }
            unsafe address?.pointee = index.region(Int(region), size: Int(size), make: make != 0)
            return SQLITE_OK
        }
        unsafe methods.pointee.xShmLock = { _, _, _, _ in SQLITE_OK }
        unsafe methods.pointee.xShmBarrier = { _ in }
        unsafe methods.pointee.xShmUnmap = { file, _ in
            if let file = unsafe file { unsafe index(of: file)?.free() }
            return SQLITE_OK
        }
        unsafe methods.pointee.xClose = { file in
            guard let file = unsafe file, let original = unsafe Self.original else { return SQLITE_IOERR }
            if let reference = unsafe slot(of: file).pointee {
                unsafe Unmanaged<PrivateLogIndex>.fromOpaque(reference).release()
                unsafe slot(of: file).pointee = nil
            }
            return unsafe original.pointee.xClose(file)
        }
        return unsafe methods
    }()

    /// Returns the number of bytes that SQLite must allocate for a file, given the size for the default file system.
    static func fileSize(_ original: Int32) -> Int32 {
        unsafe aligned(original) + Int32(MemoryLayout<UnsafeMutableRawPointer?>.size)
    }

    /// Gives a file that has just been opened its own index.
    static func install(in file: UnsafeMutablePointer<sqlite3_file>) {
        unsafe slot(of: file).initialize(to: unsafe Unmanaged.passRetained(PrivateLogIndex()).toOpaque())
        unsafe file.pointee.pMethods = unsafe shared.map { unsafe UnsafePointer($0) }
    }

    /// The methods of the default file system, which are the same for every file of one kind: found by opening an empty
    /// one.
    nonisolated(unsafe) private static let original: UnsafePointer<sqlite3_io_methods>? = {
        guard let file = try? DatabaseFileHandle(DatabaseLocation(nullDevice: ())) else { return nil }
        return unsafe file.methods
    }()

    private static let slotOffset: Int = {
        unsafe Int(aligned(sqlite3_vfs_find(nil)?.pointee.szOsFile ?? 0))
    }()

    private static func aligned(_ size: Int32) -> Int32 {
        (size + 15) & ~15
    }

    private static func slot(
        of file: UnsafeMutablePointer<sqlite3_file>
    ) -> UnsafeMutablePointer<UnsafeMutableRawPointer?> {
        unsafe UnsafeMutableRawPointer(file).advanced(by: slotOffset)
            .assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
    }

    private static func index(of file: UnsafeMutablePointer<sqlite3_file>) -> PrivateLogIndex? {
        unsafe slot(of: file).pointee.map { unsafe Unmanaged<PrivateLogIndex>.fromOpaque($0).takeUnretainedValue() }
    }
}
