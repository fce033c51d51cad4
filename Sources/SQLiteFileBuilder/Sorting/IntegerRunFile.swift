/// Sorted runs of integer entries in an unnamed file. Numbers take four bytes if all numbers of a run fit into them.
final class IntegerRunFile {
    /// A run, and the form in which its entries are written: keys are stored as their difference from the lowest key.
    struct Run {
        var bytes: Range<Int64>
        let lowest: UInt64
        let hasShortKeys: Bool
        let hasShortRows: Bool

        var entrySize: Int { (hasShortKeys ? 4 : 8) + (hasShortRows ? 4 : 8) }
    }

    /// Runs that follow each other in order. Together they are sorted, and are read as one run.
    typealias Chain = [Run]

    private let file: OutputFile
    private var chains: [Chain] = []
    /// The last key of the last run.
    private var lastKey: UInt64 = 0
    private var size: Int64 = 0
    @exclusivity(unchecked) private var buffer: ByteBuffer
    private let limits: BuildLimits
    private let bufferSize: Int

    /// The largest number of bytes of an entry.
    private static let largestEntry = 16

    init(beside path: String, _ limits: BuildLimits) throws(BuildError) {
        file = try OutputFile(unnamedBeside: path)
        self.limits = limits
        bufferSize = max(1, limits.integersPerWrite) * Self.largestEntry
        buffer = ByteBuffer(capacity: bufferSize)
    }

    /// Adds a sorted run.
    func appendRun(_ entries: [IntegerEntry]) throws(BuildError) {
        guard let first = entries.first, let last = entries.last else { return }
        let rows: UInt64 = entries.reduce(0) { $0 | UInt64(bitPattern: $1.row) }
        let run = Run(
            bytes: size..<size, lowest: first.key, hasShortKeys: last.key - first.key <= UInt32.max,
            hasShortRows: rows <= UInt32.max)
        let entries = entries.span
        var place = 0
        let written = try write(run) { () throws(BuildError) in
            defer { place += 1 }
            return place < entries.count ? entries[place] : nil
        }
        // Keys that are added in order, such as ascending primary keys, need no merge.
        if !chains.isEmpty, first.key >= lastKey {
            chains[chains.count - 1].append(written)
        } else {
            chains.append([written])
        }
        lastKey = last.key
    }

    /// Writes a run at the end of the file.
    @inline(__always)
    private func write(
        _ run: Run, _ next: () throws(BuildError) -> IntegerEntry?
    ) throws(BuildError) -> Run {
        var used = 0
        while let entry = try next() {
            store(entry, as: run, at: used)
            used += run.entrySize
            if used > bufferSize - Self.largestEntry { try flush(&used) }
        }
        try flush(&used)
        var run = run
        run.bytes = run.bytes.lowerBound..<size
        return run
    }

    @inline(__always)
    private func store(_ entry: IntegerEntry, as run: Run, at place: Int) {
        var place = place
        if run.hasShortKeys {
            buffer.store(UInt32(truncatingIfNeeded: entry.key &- run.lowest), at: place)
            place += 4
        } else {
            buffer.store(entry.key &- run.lowest, at: place)
            place += 8
        }
        if run.hasShortRows {
            buffer.store(UInt32(truncatingIfNeeded: entry.row), at: place)
        } else {
            buffer.store(entry.row, at: place)
        }
    }

    private func flush(_ used: inout Int) throws(BuildError) {
        try file.write(buffer, 0..<used, at: size)
        size += Int64(used)
        used = 0
    }

    /// Merges all chains on another thread. As long as there are too many chains, neighboring ones are first merged
    /// into longer ones.
    func mergedAhead() throws(BuildError) -> IntegerMergeAhead {
        let fanIn = max(2, limits.mergedIntegerRuns)
        while chains.count > fanIn {
            let all = chains
            chains = []
            for start in stride(from: 0, to: all.count, by: fanIn) {
                var merge = try IntegerMerge(all[start..<min(start + fanIn, all.count)], file, limits)
                // The range of the rows is not known, and little is known of the keys, so both are written in full.
                let run = Run(bytes: size..<size, lowest: 0, hasShortKeys: false, hasShortRows: false)
                var (entries, place): ([IntegerEntry], Int) = ([], 0)
                let written = try write(run) { () throws(BuildError) in
                    if place == entries.count {
                        entries.removeAll(keepingCapacity: true)
                        try merge.append(to: &entries, upTo: max(1, limits.integersPerWrite))
                        place = 0
                    }
                    defer { place += 1 }
                    return place < entries.count ? entries[place] : nil
                }
                chains.append([written])
            }
        }
        defer { chains = [] }
        return try IntegerMergeAhead(chains, file, limits)
    }

    /// Passes all entries to a closure in order; another thread merges them.
    func merge(_ body: (_ key: UInt64, _ row: Int64) throws(BuildError) -> Void) throws(BuildError) {
        let merge = try mergedAhead()
        defer { merge.stop() }
        while let entries = try merge.next() {
            for entry in entries { try body(entry.key, entry.row) }
            merge.giveBack(consume entries)
        }
    }
}
