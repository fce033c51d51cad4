import PersistentStores
import SQLiteAccess

/// The keys of a table's rows, with one bit for each.
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

    /// Returns whether a column of the current row, which must not be NULL, has an existing key.
    @inline(__always)
    func contains(_ row: Statement, _ column: Int32) -> Bool {
        switch row.storageClass(column) {
        case .integer: contains(row.integer(column))
        case .real: Int64(exactly: row.real(column)).map { contains($0) } ?? false
        case .text, .blob, .null: false
        }
    }
}

/// The keys of a store's tables, to find out for every link whether its object exists.
///
/// SQLite would look up a key in the table, and read a page for it if the links are in another order than the objects.
/// The bits are kept in memory up to a limit; for tables with higher keys, SQLite looks up the key.
final class PresentKeys {
    private let connection: Connection
    private var remainingBytes: Int
    /// The bits, by the slot of the root entity.
    private var tables: [Int: KeyBits?] = [:]

    /// - Parameter limits: determines how much memory the bits may take.
    init(_ connection: Connection, limits: ConversionLimits) {
        self.connection = connection
        remainingBytes = limits.keyBits
    }

    /// Returns the keys of a table in the connection's transaction; nil if they take too much memory, or if some are
    /// less than 1, which no object has.
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
        // Read from the table itself, because a damaged index may lack rows.
        let rows = try connection.prepare("SELECT Z_PK FROM \(table) NOT INDEXED")
        while try rows.step() {
            let key = rows.integer(0)
            words[Int(key >> 6)] |= 1 << UInt64(key & 63)
        }
        return KeyBits(words)
    }
}
