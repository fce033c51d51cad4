/// Sorts the entries of an index on one or two columns as long as they have only integers and NULL.
///
/// This is true of nearly all indexes of stores, and needs neither records nor comparisons: keys are sorted by their
/// bits, and runs of equal length wait on disk. Entries with equal keys keep the order in which they are added.
final class IntegerSorter: SpillingSorter {
    private let memory: SortMemory
    private let path: String
    @exclusivity(unchecked) private var entries: [IntegerEntry] = []
    private var runs: IntegerRunFile?
    private let runLength: Int

    /// The memory that an entry takes in the list and in the scratch memory of the sort.
    private static let entryBytes = 2 * MemoryLayout<IntegerEntry>.stride

    /// - Parameter path: the path of the file beside which runs are kept.
    init(memory: SortMemory, beside path: String) {
        self.memory = memory
        runLength = memory.limits.integerRun
        self.path = path
        memory.register(self)
    }

    var bytesInMemory: Int { entries.count * Self.entryBytes }

    /// Adds the entries of a block, in which rows are `stride` bytes apart, and each key is `offset` bytes after its
    /// row.
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
        // A list that was full will be full again.
        entries.removeAll(keepingCapacity: entries.count >= runLength)
    }

    /// Removes all entries.
    func removeAll() {
        memory.giveBack(bytesInMemory)
        entries = []
        runs = nil
    }

    /// Returns all entries in the order of their keys, and empties the sorter.
    func sorted() throws(BuildError) -> SortedIntegers {
        defer { removeAll() }
        if let runs {
            try spill()
            return SortedIntegers(try runs.mergedAhead())
        }
        memory.sort(&entries)
        return SortedIntegers(entries)
    }

    /// Passes all entries to a closure in the order of their keys, and removes them.
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
