import SQLiteFileBuilder

/// Pairs of arrivals, each once, in the order of both numbers.
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

    func add(_ first: Int64, _ second: Int64) throws(BuildError) {
        // What is not packed is sorted by its second number, and then by its first: equal ones stay in order.
        if isPacked {
            try sorter.add(first << Self.halfBits | second, 0)
        } else {
            try sorter.add(second, first)
        }
    }

    func forEach(_ body: (_ first: Int64, _ second: Int64) throws -> Void) throws {
        var last: (first: Int64, second: Int64)?
        func visit(_ first: Int64, _ second: Int64) throws {
            if let last, last == (first, second) { return }
            last = (first, second)
            try body(first, second)
        }
        let pairs = try sorter.merged()
        if isPacked {
            while let (packed, _) = try pairs.next() {
                try visit(packed >> Self.halfBits, packed & (1 << Self.halfBits - 1))
            }
            return
        }
        let byFirst = PairSorter(memory)
        while let (second, first) = try pairs.next() { try byFirst.add(first, second) }
        let sorted = try byFirst.merged()
        while let (first, second) = try sorted.next() { try visit(first, second) }
    }
}
