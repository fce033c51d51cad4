/// A set of arrivals, such as those of rejected rows, with one bit for each arrival up to the highest in the set.
struct RejectedRows: Equatable {
    private var words: [UInt64] = []
    private(set) var count = 0

    @inline(__always)
    func contains(_ arrival: Int64) -> Bool {
        let word = Int(arrival / 64)
        return word < words.count && words[word] >> UInt64(arrival % 64) & 1 == 1
    }

    func forEach<Failure: Error>(_ body: (Int64) throws(Failure) -> Void) throws(Failure) {
        for (index, word) in words.enumerated() where word != 0 {
            for bit in 0..<64 where word >> UInt64(bit) & 1 == 1 { try body(Int64(index * 64 + bit)) }
        }
    }

    mutating func formUnion(_ other: RejectedRows) { other.forEach { _ = insert($0) } }

    func isSubset(of other: RejectedRows) -> Bool {
        words.indices.allSatisfy { words[$0] & ~($0 < other.words.count ? other.words[$0] : 0) == 0 }
    }

    /// Adds an arrival. Returns false if it is already in the set.
    mutating func insert(_ arrival: Int64) -> Bool {
        guard !contains(arrival) else { return false }
        let word = Int(arrival / 64)
        if word >= words.count { words += [UInt64](repeating: 0, count: word + 1 - words.count) }
        words[word] |= 1 << UInt64(arrival % 64)
        count += 1
        return true
    }
}
