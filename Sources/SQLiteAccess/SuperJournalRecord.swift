/// The last record of a rollback journal for a transaction over several databases, which names the super-journal.
///
/// It consists of the name, its length (4 bytes), its checksum (4 bytes: the sum of the name's signed bytes), and the
/// journal magic (8 bytes).
struct SuperJournalRecord {
    let path: String
    /// The offset of the magic in the journal; without it there is no record.
    let magicOffset: Int64

    /// The journal magic, with which a journal also begins.
    static let magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]

    /// Returns nil if the journal has no such record.
    init?(ofJournal journal: String, for database: String) throws(SQLiteError) {
        guard let file = try LockFreeFile(journal, for: database) else { return nil }
        let size = try file.size()
        guard size > 16 else { return nil }
        let end = try file.read(16, at: size - 16)
        func number(_ offset: Int) -> UInt32 {
            end[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
        }
        let length = Int64(number(0))
        // SQLite's own limit for paths is 512 bytes, and Linux's 4096.
        guard end.suffix(8) == Self.magic[...], length > 0, length <= 4096, length <= size - 16 else { return nil }
        let name = try file.read(Int(length), at: size - 16 - length)
        let sum = name.reduce(UInt32(0)) { $0 &+ UInt32(bitPattern: Int32(Int8(bitPattern: $1))) }
        guard sum == number(4), !name.contains(0) else { return nil }
        path = String(decoding: name, as: UTF8.self)
        magicOffset = size - 8
    }
}
