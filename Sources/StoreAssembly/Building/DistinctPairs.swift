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
        let cursor = try sorted().cursor()
        while let first = cursor.first {
            if isPacked {
                try visit(first >> Self.halfBits, first & (1 << Self.halfBits - 1))
            } else {
                try visit(first, cursor.second)
            }
            try cursor.advance()
        }
    }

    private func sorted() throws(BuildError) -> PairFile {
        let sorted = try sorter.sorted()
        guard !isPacked else { return sorted }
        let byFirst = PairSorter(memory)
        let cursor = try sorted.cursor()
        while let second = cursor.first {
            try byFirst.add(cursor.second, second)
            try cursor.advance()
        }
        return try byFirst.sorted()
    }
}
