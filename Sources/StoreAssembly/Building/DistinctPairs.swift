import SQLiteFileBuilder

/// Pairs of arrivals, each once, in the order of both numbers, and who names them.
struct DistinctPairs {
    private let sorter: PairSorter
    private let memory: SpoolMemory
    /// Whether both numbers fit into one that is sorted.
    private let isPacked: Bool

    private static let halfBits: Int64 = 32

    init(_ memory: SpoolMemory, isPacked: Bool) {
        sorter = PairSorter(memory)
        self.memory = memory
        self.isPacked = isPacked
    }

    /// Adds a pair.
    ///
    /// - Parameter isTurned: whether whoever names it has the second number.
    func add(_ first: Int64, _ second: Int64, isTurned: Bool) throws(BuildError) {
        let named = second << 1 | (isTurned ? 1 : 0)
        // What is not packed is sorted by its second number, and then by its first: equal ones stay in order.
        if isPacked {
            try sorter.add(first << Self.halfBits | named, 0)
        } else {
            try sorter.add(named, first)
        }
    }

    /// Calls a closure with each pair: it is turned if all that name it have the second number.
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
