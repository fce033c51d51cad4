import PersistentStores
import SQLiteAccess

/// The keys that the rows of a table have, a bit for each.
final class KeyBits {
    private let words: [UInt64]

    fileprivate init(_ words: [UInt64]) {
        self.words = words
    }

    @inline(__always)
    func contains(_ key: Int64) -> Bool {
        guard key > 0, key >> 6 < Int64(words.count) else { return false }
        return words[Int(key >> 6)] & 1 << UInt64(key & 63) != 0
    }

    /// Whether a column of the current row, which is not NULL, has a key that is there.
    @inline(__always)
    func contains(_ row: Statement, _ column: Int32) -> Bool {
        switch row.storageClass(column) {
        case .integer: contains(row.integer(column))
        case .real: Int64(exactly: row.real(column)).map { contains($0) } ?? false
        case .text, .blob, .null: false
        }
    }
}

/// The keys of a store's tables, for the question that is asked for every link: whether its object is there.
///
/// SQLite looks a key up in the table, and reads a page for it if the links are in another order than the objects. The
/// bits are in memory as long as they take less than a limit; SQLite looks up what is in tables with higher keys.
final class PresentKeys {
    private let connection: Connection
    private var remainingBytes: Int
    /// By slot of the root entity.
    private var tables: [Int: KeyBits?] = [:]

    /// - Parameter limits: how much memory the bits may take.
    init(_ connection: Connection, limits: ConversionLimits) {
        self.connection = connection
        remainingBytes = limits.keyBits
    }

    /// The keys of a table, as the connection's transaction sees them; nil if they take too much memory, or if there
    /// are some below 1, which no object has.
    func bits(of table: EntityTable) throws(SQLiteError) -> KeyBits? {
        if let known = tables[table.root] { return known }
        let bits = try read(SQLiteIdentifier.quoted(table.name))
        tables[table.root] = .some(bits)
        return bits
    }

    private func read(_ table: String) throws(SQLiteError) -> KeyBits? {
        let lowest = try connection.value("SELECT min(Z_PK) FROM \(table)").integer ?? 1
        let highest = try connection.value("SELECT max(Z_PK) FROM \(table)").integer ?? 0
        let (count, size) = (highest >> 6 + 1, Int64(MemoryLayout<UInt64>.size))
        guard lowest > 0, count <= Int64(remainingBytes) / size else { return nil }
        remainingBytes -= Int(count * size)
        var words = [UInt64](repeating: 0, count: Int(count))
        // Of the table itself: an index may lack what it has.
        let rows = try connection.prepare("SELECT Z_PK FROM \(table) NOT INDEXED")
        while try rows.step() {
            let key = rows.integer(0)
            words[Int(key >> 6)] |= 1 << UInt64(key & 63)
        }
        return KeyBits(words)
    }
}
