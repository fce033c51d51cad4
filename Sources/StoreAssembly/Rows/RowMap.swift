/// Which of a table's arrivals are objects in the end, and their primary keys: those that are left are counted.
///
/// One bit for each arrival, and nothing as long as all are left.
struct RowMap {
    /// A bit for each arrival that did not become an object; empty where all are left.
    private var gone: [UInt64] = []
    /// By eight words, how many are left before.
    private var counts: [Int64] = []
    private let arrivals: Int64
    private(set) var removed: Int64 = 0

    private static let blockWords = 8

    /// - Parameter arrivals: their number; the first is 1.
    init(arrivals: Int64) {
        self.arrivals = arrivals
    }

    /// Whether primary keys are the arrivals themselves.
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

    /// Counts; nothing is removed any more.
    mutating func seal() {
        guard !gone.isEmpty else { return }
        var left: Int64 = 0
        counts.reserveCapacity(gone.count / Self.blockWords + 1)
        for (index, word) in gone.enumerated() {
            if index % Self.blockWords == 0 { counts.append(left) }
            left += Int64(64 - word.nonzeroBitCount)
        }
    }

    /// The primary key of an arrival that is left.
    func primaryKey(of arrival: Int64) -> Int64 {
        if gone.isEmpty { return arrival }
        let word = Int(arrival / 64)
        let block = word / Self.blockWords
        var key = counts[block]
        for index in block * Self.blockWords..<word { key += Int64(64 - gone[index].nonzeroBitCount) }
        let below = UInt64(1) << UInt64(arrival % 64) - 1
        // Arrival 0 is counted with the others, and is never an object: the first object gets 1.
        return key + Int64((~gone[word] & below).nonzeroBitCount)
    }
}
