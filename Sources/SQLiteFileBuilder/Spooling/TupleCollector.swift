/// The tuples of a sorter: those in memory, and those in sorted runs on disk.
final class TupleCollector: SpillingSorter {
    private let width: Int
    private let memory: SortMemory
    private let path: String
    /// The numbers of the tuples in memory, one tuple after the other.
    @exclusivity(unchecked) private var words: [UInt64] = []
    private var runs: TupleRunFile?

    /// The memory that a tuple takes in the list and when it is sorted.
    private let tupleBytes: Int

    /// - Parameter path: the path of the file beside which runs are kept.
    init(width: Int, _ memory: SortMemory, beside path: String) {
        self.width = width
        self.memory = memory
        self.path = path
        tupleBytes = 8 * width + 2 * MemoryLayout<IntegerEntry>.stride
        memory.register(self)
    }

    var bytesInMemory: Int { words.count / width * tupleBytes }

    @inline(__always)
    func add(_ tuple: Span<Int64>) throws(BuildError) {
        for index in 0..<width { words.append(UInt64(bitPattern: tuple[index])) }
        try memory.take(tupleBytes)
    }

    func spill() throws(BuildError) {
        guard !words.isEmpty else { return }
        let runs: TupleRunFile
        if let known = self.runs {
            runs = known
        } else {
            runs = try TupleRunFile(width: width, beside: path, memory.limits)
            self.runs = runs
        }
        memory.giveBack(bytesInMemory)
        var tuples: [UInt64] = []
        swap(&tuples, &words)
        let packing = TuplePacking(of: tuples.span, width: width)
        let count = tuples.count / width
        var all = tuples.mutableSpan
        for index in 0..<count { packing.pack(&all, from: index * width, to: index * packing.wordCount) }
        tuples.removeLast(count * (width - packing.wordCount))
        try runs.appendRun(tuples, in: order(of: tuples, packing), packing)
    }

    /// Returns the order of packed tuples; nil if they are sorted.
    private func order(of words: [UInt64], _ packing: TuplePacking) -> [IntegerEntry]? {
        let count = packing.wordCount
        let all = words.span
        var isSorted = true
        for start in stride(from: count, to: all.count, by: count) where isSorted {
            for place in start..<start + count where all[place] != all[place - count] {
                isSorted = all[place] > all[place - count]
                break
            }
        }
        guard !isSorted else { return nil }
        var entries = (0..<all.count / count).map { IntegerEntry(row: Int64($0)) }
        // The sort keeps the order of equal keys, so the last word is sorted first.
        for word in (0..<count).reversed() {
            for index in entries.indices { entries[index].key = all[Int(entries[index].row) * count + word] }
            memory.sort(&entries)
        }
        return entries
    }

    /// Returns a cursor over all tuples in order, and removes them.
    func sorted() throws(BuildError) -> TupleCursor {
        try spill()
        guard let runs else { return TupleCursor(try WordFile(beside: path), [], width: width) }
        self.runs = nil
        return try runs.sorted(beside: path)
    }
}
