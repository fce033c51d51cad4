/// The first 100 bytes of a database file ("Database File Format", section 1.3).
struct DatabaseHeader: Sendable {
    let pageSize: Int
    let usesWriteAheadLog: Bool
    let changeCounter: UInt32
    let pageCount: UInt32
    let schemaFormat: UInt32
    /// 0 for a file without auto-vacuum.
    let largestRootPage: UInt32
    let isIncrementalVacuum: Bool
    let textEncoding: UInt32
    let userVersion: Int32
    let applicationID: Int32
    let versionValidFor: UInt32

    /// Returns nil if the file is shorter, or does not begin with SQLite's magic string.
    init?(_ file: DatabaseFileHandle) throws(SQLiteError) {
        guard try file.size() >= 100 else { return nil }
        let bytes = try file.read(100, at: 0)
        guard bytes.starts(with: "SQLite format 3\0".utf8) else { return nil }
        func number(_ offset: Int) -> UInt32 {
            bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
        }
        let size = Int(bytes[16]) << 8 | Int(bytes[17])
        pageSize = size == 1 ? 65536 : size
        // The read and write versions: 1 for a rollback journal, 2 for a write-ahead log.
        usesWriteAheadLog = bytes[18] == 2 || bytes[19] == 2
        changeCounter = number(24)
        pageCount = number(28)
        schemaFormat = number(44)
        largestRootPage = number(52)
        isIncrementalVacuum = number(64) != 0
        textEncoding = number(56)
        userVersion = Int32(bitPattern: number(60))
        applicationID = Int32(bitPattern: number(68))
        versionValidFor = number(92)
    }
}
