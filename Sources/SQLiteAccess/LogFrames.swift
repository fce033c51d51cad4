/// The committed frames of a write-ahead log ("WAL Format", section 4.2 of "Database File Format").
///
/// The database must be read in a transaction that began before. Then writers append frames, and restart the log only
/// if the file has all pages of the transaction, so that overwritten frames are not needed.
struct LogFrames {
    private static let frameHeaderSize = 24

    let pageSize: Int
    /// The number of pages in the database after the last commit.
    let pageCount: UInt32

    /// The highest page number in the log.
    var lastPage: UInt32 { offsets.keys.max() ?? 0 }

    private let file: LockFreeFile
    /// The salts, two numbers that all frames of the log contain.
    private let salts: [UInt8]
    /// The offset of each page's last committed frame, by page number.
    private let offsets: [UInt32: Int64]

    /// Returns nil if there is no log, or it has no commit.
    init?(_ location: DatabaseLocation) throws(SQLiteError) {
        guard let header = try WriteAheadLogHeader(location), header.isReadable,
            let file = try LockFreeFile(location.writeAheadLog, for: location.given)
        else { return nil }
        let start = try file.read(Int(WriteAheadLogHeader.size), at: 0)
        let pageSize = Int(Self.number(start, 8))
        let salts = Array(start[16..<24])
        var checksum = LogChecksum(isBigEndian: start[3] & 1 == 1)
        checksum.add(start[0..<24])
        var frame = [UInt8](repeating: 0, count: Self.frameHeaderSize + pageSize)
        var offset = WriteAheadLogHeader.size
        var committed: [UInt32: Int64] = [:]
        var pending: [UInt32: Int64] = [:]
        var pageCount: UInt32 = 0
        while offset + Int64(frame.count) <= header.fileSize {
            try file.read(into: &frame, at: offset)
            guard frame[8..<16].elementsEqual(salts) else { break }
            checksum.add(frame[0..<8])
            checksum.add(frame[Self.frameHeaderSize...])
            guard checksum.first == Self.number(frame, 16), checksum.second == Self.number(frame, 20) else { break }
            pending[Self.number(frame, 0)] = offset
            let size = Self.number(frame, 4)
            if size > 0 {
                committed.merge(pending) { $1 }
                pending.removeAll(keepingCapacity: true)
                pageCount = size
            }
            offset += Int64(frame.count)
        }
        guard pageCount > 0 else { return nil }
        self.file = file
        self.pageSize = pageSize
        self.salts = salts
        self.pageCount = pageCount
        offsets = committed
    }

    /// Fills a buffer with a page; returns whether the log has the page.
    func read(_ page: UInt32, into bytes: inout [UInt8]) throws(SQLiteError) -> Bool {
        guard let offset = offsets[page] else { return false }
        let header = try file.read(Self.frameHeaderSize, at: offset)
        guard header[8..<16].elementsEqual(salts), Self.number(header, 0) == page else { return false }
        try file.read(into: &bytes, at: offset + Int64(Self.frameHeaderSize))
        return true
    }

    private static func number(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
        bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
