/// The header of a `-wal` file ("WAL Format", section 4.1 of "Database File Format").
struct WriteAheadLogHeader {
    /// The number of bytes before the first frame.
    static let size: Int64 = 32

    let fileSize: Int64
    /// Whether magic, version, page size and checksum are valid.
    let isReadable: Bool

    var isEmpty: Bool { fileSize == 0 }

    /// Returns nil if there is no log.
    init?(_ location: DatabaseLocation) throws(SQLiteError) {
        guard let file = try LockFreeFile(location.writeAheadLog, for: location.given) else { return nil }
        fileSize = try file.size()
        let header = try file.read(Int(Self.size), at: 0)
        isReadable = fileSize > Self.size && Self.isReadable(header)
    }

    private static func isReadable(_ header: [UInt8]) -> Bool {
        func number(_ offset: Int) -> UInt32 { header[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) } }
        let magic = number(0)
        let pageSize = number(8)
        guard magic & ~1 == 0x377f_0682, number(4) == 3_007_000, (512...65536).contains(pageSize),
            pageSize.nonzeroBitCount == 1
        else { return false }
        // The lowest bit of the magic determines the byte order of the words that the checksum adds up.
        var checksum = LogChecksum(isBigEndian: magic & 1 == 1)
        checksum.add(header[0..<24])
        return checksum.first == number(24) && checksum.second == number(28)
    }
}
