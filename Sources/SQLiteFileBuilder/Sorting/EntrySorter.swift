/// Sorts the entries of an index in bounded memory: sorted runs are written to disk and merged at the end.
final class EntrySorter: SpillingSorter {
    private let normalizer: KeyNormalizer
    private let memory: SortMemory
    private let path: String
    @exclusivity(unchecked) private var arena = ByteBuffer(capacity: EntrySorter.firstCapacity)
    @exclusivity(unchecked) private var used = 0
    @exclusivity(unchecked) private var entries: [SortEntry] = []
    @exclusivity(unchecked) private var sorting: EntrySorting
    private var runs: RunFile?

    private static let firstCapacity = 4096
    /// The memory that an entry takes in the list and in the scratch memory of the sort.
    private static let entryOverhead = 2 * MemoryLayout<SortEntry>.stride

    /// - Parameter path: the path of the file beside which runs are kept.
    init(_ normalizer: KeyNormalizer, memory: SortMemory, beside path: String) {
        self.normalizer = normalizer
        self.memory = memory
        self.path = path
        sorting = EntrySorting(normalizer)
        memory.register(self)
    }

    var bytesInMemory: Int { used + entries.count * Self.entryOverhead }

    /// Adds an entry. Entries with equal keys keep the order in which they are added.
    func add(_ record: borrowing RecordEncoder) throws(BuildError) {
        let size = record.size
        arena.reserve(used + size)
        record.copy(0..<size, to: &arena, at: used)
        try note(size)
    }

    /// Adds an entry that lies in other memory.
    func add(_ bytes: borrowing ByteBuffer, _ range: Range<Int>) throws(BuildError) {
        arena.reserve(used + range.count)
        arena.copy(bytes, range, at: used)
        try note(range.count)
    }

    private func note(_ size: Int) throws(BuildError) {
        entries.append(SortEntry(start: used, count: size))
        used += size
        try memory.take(size + Self.entryOverhead)
    }

    func spill() throws(BuildError) {
        guard !entries.isEmpty else { return }
        sorting.sort(&entries, in: arena)
        let runs: RunFile
        if let known = self.runs {
            runs = known
        } else {
            runs = try RunFile(beside: path, normalizer: normalizer, memory.limits)
            self.runs = runs
        }
        try runs.beginRun()
        for entry in entries { try runs.append(arena, entry.range) }
        try runs.endRun()
        release()
    }

    /// Removes all entries.
    func removeAll() {
        release()
        runs = nil
    }

    private func release() {
        memory.giveBack(bytesInMemory)
        arena = ByteBuffer(capacity: Self.firstCapacity)
        sorting = EntrySorting(normalizer)
        (entries, used) = ([], 0)
    }

    /// Passes all entries to a closure in the order of their keys, and removes them. Other sorters may ask for memory
    /// meanwhile.
    func drain(
        _ body: (_ record: borrowing ByteBuffer, _ range: Range<Int>) throws(BuildError) -> Void
    ) throws(BuildError) {
        if runs == nil {
            sorting.sort(&entries, in: arena)
            // The arena is moved out of the sorter, because entries that the body adds to other sorters may make this
            // one spill.
            var bytes = ByteBuffer(capacity: Self.firstCapacity)
            swap(&bytes, &arena)
            let (sorted, held) = (entries, bytesInMemory)
            sorting = EntrySorting(normalizer)
            (entries, used) = ([], 0)
            defer { memory.giveBack(held) }
            for entry in sorted { try body(bytes, entry.range) }
            return
        }
        try spill()
        try runs?.merge(body)
        runs = nil
    }
}
