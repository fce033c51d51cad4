/// Sorts the entries of an index on one column or two as long as those have nothing but integers and NULL.
///
/// Those are nearly all indexes of stores, and need neither records nor comparisons: keys are sorted by their bits, and
/// runs of equal length wait on disk. Entries with equal keys stay in the order in which they are added.
final class IntegerSorter: SpillingSorter {
    private let memory: SortMemory
    private let path: String
    @exclusivity(unchecked) private var entries: [IntegerEntry] = []
    private var runs: IntegerRunFile?
    private let runLength: Int

    /// An entry, and its place in what the list is sorted with.
    private static let entryBytes = 2 * MemoryLayout<IntegerEntry>.stride

    /// - Parameter path: the file beside which runs are kept.
    init(memory: SortMemory, beside path: String) {
        self.memory = memory
        runLength = memory.limits.integerRun
        self.path = path
        memory.register(self)
    }

    var bytesInMemory: Int { entries.count * Self.entryBytes }

    /// Adds entries of a block: a row every `stride` bytes, and its key `offset` bytes behind it.
    func add(_ block: borrowing ByteBuffer, offset: Int, stride: Int, count: Int) throws(BuildError) {
        for index in 0..<count {
            let place = index * stride
            entries.append(IntegerEntry(key: block.load(at: place + offset), row: block.load(at: place)))
        }
        if entries.count >= runLength { try spill() }
        try memory.take(count * Self.entryBytes)
    }

    /// Adds an entry.
    @inline(__always)
    func add(_ key: UInt64, row: Int64) throws(BuildError) {
        entries.append(IntegerEntry(key: key, row: row))
        if entries.count >= runLength { try spill() }
        try memory.take(Self.entryBytes)
    }

    func spill() throws(BuildError) {
        guard !entries.isEmpty else { return }
        memory.sort(&entries)
        let runs: IntegerRunFile
        if let known = self.runs {
            runs = known
        } else {
            runs = try IntegerRunFile(beside: path, memory.limits)
            self.runs = runs
        }
        try runs.appendRun(entries)
        memory.giveBack(bytesInMemory)
        // A list that is full will be so again.
        entries.removeAll(keepingCapacity: entries.count >= runLength)
    }

    /// Forgets all entries.
    func removeAll() {
        memory.giveBack(bytesInMemory)
        entries = []
        runs = nil
    }

    /// All entries in the order of their keys; the sorter is empty then.
    func sorted() throws(BuildError) -> SortedIntegers {
        defer { removeAll() }
        if let runs {
            try spill()
            return SortedIntegers(try runs.mergedAhead())
        }
        memory.sort(&entries)
        return SortedIntegers(entries)
    }

    /// Gives all entries in the order of their keys, and forgets them.
    func drain(_ body: (_ key: UInt64, _ row: Int64) throws(BuildError) -> Void) throws(BuildError) {
        defer { removeAll() }
        if runs != nil {
            try spill()
            entries = []
            try runs?.merge(body)
            return
        }
        memory.sort(&entries)
        for entry in entries { try body(entry.key, entry.row) }
    }
}
