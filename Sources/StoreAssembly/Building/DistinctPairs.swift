import SQLiteFileBuilder

/// Distinct pairs of arrivals, sorted by both numbers, with the side that names each pair.
struct DistinctPairs {
    private let sorter: PairSorter
    private let memory: SpoolMemory
    /// Whether both numbers of a pair are packed into one number for sorting.
    private let isPacked: Bool

    private static let halfBits: Int64 = 32

    init(_ memory: SpoolMemory, isPacked: Bool) {
        sorter = PairSorter(memory)
        self.memory = memory
        self.isPacked = isPacked
    }

    /// Adds a pair.
    ///
    /// - Parameters:
    ///   - first: the arrival by which pairs are sorted first.
    ///   - second: the other arrival.
    ///   - isTurned: whether the object with the second number names the pair.
    func add(_ first: Int64, _ second: Int64, isTurned: Bool) throws(BuildError) {
        let named = second << 1 | (isTurned ? 1 : 0)
        // Pairs that are not packed are sorted by their second number, and then by their first. Sorting is stable.
        if isPacked {
            try sorter.add(first << Self.halfBits | named, 0)
        } else {
            try sorter.add(named, first)
        }
    }

    /// Calls a closure with each distinct pair. The pair is turned if only objects with the second number name it.
    func forEach(_ body: (_ first: Int64, _ second: Int64, _ isTurned: Bool) throws -> Void) throws {
        var last: (first: Int64, second: Int64)?
        func visit(_ first: Int64, _ named: Int64) throws {
            let second = named >> 1
            if let last, last == (first, second) { return }
            last = (first, second)
            try body(first, second, named & 1 == 1)
        }
        let pairs = try sorter.merged()
        if isPacked {
            while let (packed, _) = try pairs.next() {
                try visit(packed >> Self.halfBits, packed & (1 << Self.halfBits - 1))
            }
            return
        }
        let byFirst = PairSorter(memory)
        while let (named, first) = try pairs.next() { try byFirst.add(first, named) }
        let sorted = try byFirst.merged()
        while let (first, named) = try sorted.next() { try visit(first, named) }
    }
}
