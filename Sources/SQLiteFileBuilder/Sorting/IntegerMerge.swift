/// Merges sorted chains of runs of integer entries with a tournament tree, in which each node holds the chain that lost
/// there.
struct IntegerMerge: ~Copyable {
    /// The state of reading a chain.
    private struct Reader {
        var run: IntegerRunFile.Run
        /// The runs of the chain after the current one.
        var others: ArraySlice<IntegerRunFile.Run>
        /// The offset of the first byte that has not been read yet.
        var next: Int64
        /// The offset of the chain's bytes in the buffer.
        var place: Int
        var end: Int
    }

    private let file: OutputFile
    private var readers: [Reader] = []
    private var buffer: ByteBuffer
    /// For each chain, its next entry. Equal keys are in the order of their chains, and a chain that has ended sorts
    /// after all others.
    private var entries: [IntegerEntry]
    private var ranks: [Int]
    /// The losers of the nodes; the first element is the chain with the next entry.
    private var losers: [Int]

    /// The bytes of each chain that are read at a time: a multiple of every size of an entry.
    private let pieceSize: Int

    init(_ chains: ArraySlice<IntegerRunFile.Chain>, _ file: OutputFile, _ limits: BuildLimits) throws(BuildError) {
        self.file = file
        pieceSize = 48 * max(1, limits.integerPiece)
        buffer = ByteBuffer(capacity: chains.count * pieceSize)
        var size = 1
        while size < chains.count { size *= 2 }
        entries = [IntegerEntry](repeating: IntegerEntry(key: .max), count: size)
        ranks = (0..<size).map { $0 + size }
        losers = [Int](repeating: 0, count: size)
        for (index, chain) in chains.enumerated() {
            let place = index * pieceSize
            let run = chain[0]
            readers.append(
                Reader(run: run, others: chain.dropFirst(), next: run.bytes.lowerBound, place: place, end: place))
            ranks[index] = index
            try advance(index)
        }
        losers[0] = winner(of: 1)
    }

    /// Returns the chain that wins below a node, and stores the losers on the way.
    private mutating func winner(of node: Int) -> Int {
        if node >= losers.count { return node - losers.count }
        let (one, other) = (winner(of: 2 * node), winner(of: 2 * node + 1))
        let isFirst = comes(one, before: other)
        losers[node] = isFirst ? other : one
        return isFirst ? one : other
    }

    @inline(__always)
    private func comes(_ one: Int, before other: Int) -> Bool {
        let (key, otherKey) = (entries[one].key, entries[other].key)
        return key < otherKey || key == otherKey && ranks[one] < ranks[other]
    }

    /// Returns the next entry; nil after the last one.
    @inline(__always)
    mutating func next() throws(BuildError) -> IntegerEntry? {
        var winner = losers[0]
        guard ranks[winner] < losers.count else { return nil }
        let entry = entries[winner]
        try advance(winner)
        var node = (winner + losers.count) / 2
        while node > 0 {
            let loser = losers[node]
            if comes(loser, before: winner) {
                losers[node] = winner
                winner = loser
            }
            node /= 2
        }
        losers[0] = winner
        return entry
    }

    /// Moves to the next entry of a chain.
    @inline(__always)
    private mutating func advance(_ index: Int) throws(BuildError) {
        if readers[index].place == readers[index].end {
            guard try fill(index) else { return }
        }
        let run = readers[index].run
        var place = readers[index].place
        var entry = IntegerEntry()
        if run.hasShortKeys {
            entry.key = run.lowest &+ UInt64(buffer.load(UInt32.self, at: place))
            place += 4
        } else {
            entry.key = run.lowest &+ buffer.load(UInt64.self, at: place)
            place += 8
        }
        if run.hasShortRows {
            entry.row = Int64(buffer.load(UInt32.self, at: place))
            place += 4
        } else {
            entry.row = buffer.load(Int64.self, at: place)
            place += 8
        }
        entries[index] = entry
        readers[index].place = place
    }

    /// Reads more of a chain; returns false at its end.
    @inline(never)
    private mutating func fill(_ index: Int) throws(BuildError) -> Bool {
        let start = index * pieceSize
        if readers[index].next == readers[index].run.bytes.upperBound, let run = readers[index].others.popFirst() {
            readers[index].run = run
            readers[index].next = run.bytes.lowerBound
        }
        let reader = readers[index]
        let count = Int(min(Int64(pieceSize), reader.run.bytes.upperBound - reader.next))
        guard count > 0 else {
            entries[index].key = .max
            ranks[index] = index + losers.count
            return false
        }
        guard try file.read(&buffer, start..<start + count, at: reader.next) == count else {
            throw BuildError(.file("ends too early", 0), path: file.path)
        }
        readers[index].next += Int64(count)
        readers[index].place = start
        readers[index].end = start + count
        return true
    }
}
