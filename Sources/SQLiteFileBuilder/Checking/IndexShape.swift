/// The shape of the entries of an index that is compared with its table.
struct IndexShape {
    /// The collations that the check can compare texts by. Only SQLite knows the others.
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
        /// Whether the column has the affinity REAL, for which tables store whole numbers as integers.
        let isReal: Bool
        /// Whether rows that were written before the column was added have a value other than NULL.
        let hasDefault: Bool
    }

    let name: String
    /// The columns of the key, followed by the row ID.
    let columns: [Column]
    let keyCount: Int
    let isUnique: Bool
    /// The position of the index's digest among the digests of all indexes.
    let place: Int
    /// The initial value of the digest. It differs in each check, so that no file can be constructed to match it.
    let seed: UInt64
}

/// The number of entries and the sum of their hashes, which does not depend on the order in which they are added.
///
/// Different entries have the same digest with a probability of 1 in 2^64.
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

/// The digests of an index: the one that the rows of the table require, and the one of the index's entries.
struct IndexDigests {
    var rows = IndexDigest()
    var entries = IndexDigest()
}
