/// A map of a table's arrivals to the final primary keys. The arrivals that become objects are numbered from 1.
///
/// It takes one bit for each arrival, and no memory if all arrivals become objects.
struct RowMap {
    /// A bit for each arrival, which is set if it does not become an object; empty if all become objects.
    private var gone: [UInt64] = []
    /// For each block of eight words, the number of clear bits before it.
    private var counts: [Int64] = []
    private let arrivals: Int64
    private(set) var removed: Int64 = 0

    private static let blockWords = 8

    /// Creates a map in which all arrivals become objects.
    ///
    /// - Parameter arrivals: the number of arrivals. The first arrival is 1.
    init(arrivals: Int64) {
        self.arrivals = arrivals
    }

    /// Whether the primary keys are the arrivals.
    var isIdentity: Bool { removed == 0 }

    /// The number of objects.
    var count: Int64 { arrivals - removed }

    mutating func remove(_ arrival: Int64) {
        if gone.isEmpty { gone = [UInt64](repeating: 0, count: Int(arrivals / 64) + 1) }
        let (word, bit) = (Int(arrival / 64), UInt64(1) << UInt64(arrival % 64))
        guard gone[word] & bit == 0 else { return }
        gone[word] |= bit
        removed += 1
    }

    func contains(_ arrival: Int64) -> Bool {
        gone.isEmpty || gone[Int(arrival / 64)] & 1 << UInt64(arrival % 64) == 0
    }

    /// Counts the remaining arrivals. No more arrivals may be removed.
    mutating func seal() {
        guard !gone.isEmpty else { return }
        var left: Int64 = 0
        counts.reserveCapacity(gone.count / Self.blockWords + 1)
        for (index, word) in gone.enumerated() {
            if index % Self.blockWords == 0 { counts.append(left) }
            left += Int64(64 - word.nonzeroBitCount)
        }
    }

    /// Returns the primary key of an arrival that becomes an object.
    func primaryKey(of arrival: Int64) -> Int64 {
        if gone.isEmpty { return arrival }
        let word = Int(arrival / 64)
        let block = word / Self.blockWords
        var key = counts[block]
        for index in block * Self.blockWords..<word { key += Int64(64 - gone[index].nonzeroBitCount) }
        let below = UInt64(1) << UInt64(arrival % 64) - 1
        // Arrival 0 does not exist but is counted, so the first object gets 1.
        return key + Int64((~gone[word] & below).nonzeroBitCount)
    }
}
