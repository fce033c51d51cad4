internal import SQLiteAccess

/// The first 100 bytes of the file ("Database File Format", section 1.3).
struct FileHeader {
    let settings: FileSettings
    let pageCount: UInt32
    let largestRoot: UInt32

    /// The schema format that SQLite writes.
    private static let schemaFormat: UInt32 = 4

    func write(to file: PageFile) throws(BuildError) {
        var bytes = ByteBuffer(capacity: TreePage.fileHeaderSize)
        bytes.copy("SQLite format 3\0".utf8.span, at: 0)
        // 1 stands for 65536.
        bytes.store(settings.pageSize == 65536 ? 1 : UInt16(truncatingIfNeeded: settings.pageSize), at: 16)
        // Read and write version 1 (rollback journal), no reserved bytes, and the three fixed payload fractions.
        for (offset, value) in [1, 1, 0, 64, 32, 32].enumerated() { bytes[18 + offset] = UInt8(value) }
        bytes.store(settings.changeCounter, at: 24)
        bytes.store(pageCount, at: 28)
        bytes.store(settings.schemaCookie, at: 40)
        bytes.store(Self.schemaFormat, at: 44)
        bytes.store(settings.vacuum == .none ? 0 : largestRoot, at: 52)
        bytes.store(settings.encoding.rawValue, at: 56)
        bytes.store(settings.userVersion, at: 60)
        bytes.store(UInt32(settings.vacuum == .incremental ? 1 : 0), at: 64)
        bytes.store(settings.applicationID, at: 68)
        // The change counter for which the page count is valid.
        bytes.store(settings.changeCounter, at: 92)
        bytes.store(settings.libraryVersion, at: 96)
        try file.write(bytes, 0..<TreePage.fileHeaderSize, at: 1)
    }
}
