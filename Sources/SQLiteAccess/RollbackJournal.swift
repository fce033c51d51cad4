internal import CSQLite
internal import Glibc

/// A rollback journal beside a database, and whether a connection to that database can have written it ("The Rollback
/// Journal", section 3 of "Database File Format").
///
/// SQLite rolls back any journal that looks hot. A planted one can make it delete a file, named as the super-journal,
/// or extend the database to any size.
struct RollbackJournal {
    /// The number of header bytes that are used: magic, record count, nonce, page count, sector size, page size.
    private static let headerSize = 28

    /// The number of records that are searched: a transaction changes the first page first, or soon.
    static let searchedRecords: Int64 = 64
    private let searchedRecords: Int64

    /// The maximum size of the names in a super-journal, which lists the journals of one transaction, in bytes.
    private static let largestSuperJournal = 1 << 20

    /// The number of pages in the database before the transaction.
    let pageCount: Int64
    let sectorSize: Int64
    let pageSize: Int64
    /// The count in the header: 0 or the largest number if it is determined by the file's size.
    private let recordCount: Int64
    private let nonce: UInt32

    private let location: DatabaseLocation
    private let file: LockFreeFile

    /// Returns nil if there is no journal, or if its header is invalid: SQLite ignores such a file.
    ///
    /// - Parameter searchedRecords: the number of records that are searched.
    init?(of location: DatabaseLocation, searchedRecords: Int64 = Self.searchedRecords) throws(SQLiteError) {
        guard let file = try LockFreeFile(location.journal, for: location.given) else { return nil }
        let header = try file.read(Self.headerSize, at: 0)
        guard header.prefix(8) == SuperJournalRecord.magic[...] else { return nil }
        func number(_ offset: Int) -> Int64 {
            Int64(header[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
        }
        recordCount = number(8)
        nonce = UInt32(truncatingIfNeeded: number(12))
        pageCount = number(16)
        sectorSize = number(20)
        pageSize = number(24)
        self.searchedRecords = searchedRecords
        self.location = location
        self.file = file
    }

    /// Throws "corrupt" if the sizes in the header cannot be those of a transaction on the database.
    func checkSizes(_ database: DatabaseFileHandle) throws(SQLiteError) {
        let sizes: ClosedRange<Int64> = 512...65536
        guard sizes.contains(pageSize), pageSize.nonzeroBitCount == 1 else {
            throw refusal("it has pages of \(pageSize) bytes")
        }
        guard (32...65536).contains(sectorSize), sectorSize.nonzeroBitCount == 1 else {
            throw refusal("it has sectors of \(sectorSize) bytes")
        }
        // If a crash left the database without a header, only the journal has its page size.
        if let header = try DatabaseHeader(database), Int64(header.pageSize) != pageSize,
            try pageSizeOfFirstPage() != pageSize
        {
            throw refusal("it has pages of \(pageSize) bytes, and the database of \(header.pageSize)")
        }
        // Pages that a transaction removes from the end of the file without recording them are free pages, and it does
        // record the pages that list them: each lists fewer pages than a quarter of its bytes.
        let records = max(0, try file.size() - sectorSize) / (pageSize + 8) + 1
        let existing = try database.size() / pageSize
        guard pageCount <= existing + records * (pageSize / 4) else {
            throw refusal("it would extend the database to \(pageCount) pages of \(pageSize) bytes")
        }
        try checkRecords()
    }

    /// Throws "corrupt" if the database had more pages before the transaction than the journal would leave.
    ///
    /// Only pages that existed are recorded, and the first one contains their number.
    private func checkRecords() throws(SQLiteError) {
        let isCounted = recordCount > 0 && recordCount < 0xFFFF_FFFF
        for index in 0..<min(searchedRecords, isCounted ? recordCount : .max) {
            let record = try file.read(Int(pageSize) + 8, at: sectorSize + index * (pageSize + 8))
            // A record with a wrong checksum ends the journal.
            guard isWhole(record) else { return }
            let page = Int64(Self.number(record, at: 0))
            guard page <= pageCount else {
                throw refusal("it records page \(page), and would cut the database to \(pageCount) pages")
            }
            guard page == 1, record[4...].starts(with: "SQLite format 3\0".utf8) else { continue }
            // The count is only valid if the same writer changed it last.
            let (counter, count) = (Self.number(record, at: 4 + 24), Int64(Self.number(record, at: 4 + 28)))
            guard count == 0 || counter != Self.number(record, at: 4 + 92) || count == pageCount else {
                throw refusal("it would leave \(pageCount) pages of the database, which had \(count)")
            }
        }
    }

    /// Returns whether a record has the right checksum: the nonce plus every 200th byte of the page, counted from its
    /// end.
    private func isWhole(_ record: [UInt8]) -> Bool {
        guard record.count == Int(pageSize) + 8 else { return false }
        var sum = nonce
        for offset in stride(from: Int(pageSize) - 200, to: 0, by: -200) { sum &+= UInt32(record[4 + offset]) }
        return sum == Self.number(record, at: Int(pageSize) + 4)
    }

    private static func number(_ bytes: [UInt8], at offset: Int) -> UInt32 {
        bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Throws "corrupt" if the journal names a super-journal that cannot belong to this database: SQLite would delete
    /// that file.
    func checkSuperJournal() throws(SQLiteError) {
        guard let record = try SuperJournalRecord(ofJournal: location.journal, for: location.given) else { return }
        guard Self.isSuperJournalName(record.path) else {
            throw refusal("it names \(record.path) as its super-journal, which has another kind of name")
        }
        var status = stat()
        // Without the super-journal, the transaction was committed, and the journal is removed.
        guard unsafe lstat(record.path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= Self.largestSuperJournal,
            let list = try LockFreeFile(record.path, for: location.given)
        else { throw refusal("it names \(record.path) as its super-journal, which is not one") }
        let names = try list.read(Int(status.st_size), at: 0).split(separator: 0)
        guard names.contains(where: { isThisJournal(String(decoding: $0, as: UTF8.self)) }) else {
            throw refusal("it names \(record.path) as its super-journal, which does not list it")
        }
    }

    /// Returns whether a path has the form `DATABASE-mjXXXXXX9XX`, with the full path and hexadecimal digits X.
    private static func isSuperJournalName(_ path: String) -> Bool {
        let ending = Array(path.utf8.suffix(12))
        guard path.utf8.first == UInt8(ascii: "/"), ending.count == 12, ending.starts(with: "-mj".utf8) else {
            return false
        }
        let digits = ending.dropFirst(3)
        return digits[9] == UInt8(ascii: "9")
            && digits.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x46).contains($0) }
    }

    private func isThisJournal(_ path: String) -> Bool {
        if path == location.journal { return true }
        var listed = stat()
        var own = stat()
        return unsafe stat(path, &listed) == 0 && stat(location.journal, &own) == 0
            && listed.st_ino == own.st_ino && listed.st_dev == own.st_dev
    }

    /// Returns the page size from the first page's record, which contains the old header; nil if it is not found.
    private func pageSizeOfFirstPage() throws(SQLiteError) -> Int64? {
        for index in 0..<searchedRecords {
            let record = try file.read(4 + 18, at: sectorSize + index * (pageSize + 8))
            guard record[..<4] == [0, 0, 0, 1] else { continue }
            guard record[4...].starts(with: "SQLite format 3\0".utf8) else { return nil }
            let size = Int64(record[20]) << 8 | Int64(record[21])
            return size == 1 ? 65536 : size
        }
        return nil
    }

    private func refusal(_ reason: String) -> SQLiteError {
        SQLiteError(
            code: SQLITE_CORRUPT,
            message:
                "the journal beside it, \(location.journal), cannot be its own: \(reason); find out where it comes "
                + "from, and move it away if the database is whole without it",
            path: location.given)
    }
}
