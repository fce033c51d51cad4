/// An index whose entries are compared with the rows of its table: what an entry consists of.
struct IndexShape {
    /// How the texts of a column are compared. Others than these are known to SQLite only.
    enum Collation: String {
        case binary = "BINARY"
        case noCase = "NOCASE"
        case rtrim = "RTRIM"
    }

    struct Column {
        /// The position in a record of the table; nil for the row ID.
        let position: Int?
        let collation: Collation
        let isDescending: Bool
        /// Whether the column has the affinity REAL, whose whole numbers tables keep as integers.
        let isReal: Bool
        /// Whether rows that were written before the column was added have another value than NULL.
        let hasDefault: Bool
    }

    let name: String
    /// The columns of the key, and the row ID behind them.
    let columns: [Column]
    let keyCount: Int
    let isUnique: Bool
    /// The place of its digest among those of all indexes.
    let place: Int
    /// Where the digest begins: other ones in each check, so that no file is made for one.
    let seed: UInt64
}

/// The number and the sum of the hashes of entries, in whatever order they were added.
///
/// Different entries have the same digest by chance only, once in 2^64.
struct IndexDigest: Equatable {
    private var count = 0
    private var sum: UInt64 = 0

    @inline(__always)
    mutating func add(_ hash: UInt64) {
        count += 1
        sum &+= hash
    }

    mutating func add(_ other: IndexDigest) {
        count += other.count
        sum &+= other.sum
    }
}

/// Digests of an index: of what the rows of the table call for, and of what the index has.
struct IndexDigests {
    var rows = IndexDigest()
    var entries = IndexDigest()
}
