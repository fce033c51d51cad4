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

    /// A chain in the tree. Equal keys are in the order of their chains, and a chain that has ended sorts after all
    /// others.
    private struct Player {
        /// The key of the chain's next entry.
        var key: UInt64
        /// The index of the chain; the number of all is added to that of one that has ended.
        var rank: Int

        @inline(__always)
        func comes(before other: Player) -> Bool { key < other.key || key == other.key && rank < other.rank }
    }

    private let file: OutputFile
    private var readers: [Reader] = []
    private var buffer: ByteBuffer
    /// For each chain, the row of its next entry.
    private var rows: [Int64]
    /// The losers of the nodes; the first element is the chain with the next entry.
    private var players: [Player]

    /// The bytes of each chain that are read at a time: a multiple of every size of an entry.
    private let pieceSize: Int

    init(_ chains: ArraySlice<IntegerRunFile.Chain>, _ file: OutputFile, _ limits: BuildLimits) throws(BuildError) {
        self.file = file
        pieceSize = 48 * max(1, limits.integerPiece)
        buffer = ByteBuffer(capacity: chains.count * pieceSize)
        var size = 1
        while size < chains.count { size *= 2 }
        rows = [Int64](repeating: 0, count: size)
        players = [Player](repeating: Player(key: .max, rank: 2 * size - 1), count: size)
        var first: [Player] = (0..<size).map { Player(key: .max, rank: size + $0) }
        for (index, chain) in chains.enumerated() {
            let place = index * pieceSize
            let run = chain[0]
            readers.append(
                Reader(run: run, others: chain.dropFirst(), next: run.bytes.lowerBound, place: place, end: place))
            guard try fill(index) else { continue }
            let entry = Self.take(&readers[index], buffer)
            (first[index], rows[index]) = (Player(key: entry.key, rank: index), entry.row)
        }
        players[0] = winner(of: 1, first)
    }

    /// Returns the chain that wins below a node, and stores the losers on the way.
    private mutating func winner(of node: Int, _ first: [Player]) -> Player {
        if node >= players.count { return first[node - players.count] }
        let (one, other) = (winner(of: 2 * node, first), winner(of: 2 * node + 1, first))
        let isFirst = one.comes(before: other)
        players[node] = isFirst ? other : one
        return isFirst ? one : other
    }

    /// Appends the next entries to a list until it has a number of entries; to fewer after the last entry.
    mutating func append(to list: inout [IntegerEntry], upTo count: Int) throws(BuildError) {
        while let chain = appendWhatIsRead(to: &list, upTo: count) {
            if try fill(chain) { continue }
            list.append(IntegerEntry(key: players[0].key, row: rows[chain]))
            var all = players.mutableSpan
            Self.replaceWinner(with: Player(key: .max, rank: chain + all.count), &all)
        }
    }

    /// Appends the next entries to a list until it is full or a chain must be read on.
    ///
    /// - Returns: the chain with the next entry, which must be read on before the entry after that is known; nil if the
    ///   list is full or there are no more entries.
    private mutating func appendWhatIsRead(to list: inout [IntegerEntry], upTo count: Int) -> Int? {
        // Taken out meanwhile, so that each is accessed without the others.
        var (players, readers, rows): ([Player], [Reader], [Int64]) = ([], [], [])
        swapLists(&players, &readers, &rows)
        defer { swapLists(&players, &readers, &rows) }
        var all = players.mutableSpan
        var chains = readers.mutableSpan
        var next = rows.mutableSpan
        while list.count < count {
            let winner = all[0]
            let chain = winner.rank
            guard chain < all.count else { return nil }
            if chains[chain].place == chains[chain].end { return chain }
            list.append(IntegerEntry(key: winner.key, row: next[chain]))
            let entry = Self.take(&chains[chain], buffer)
            next[chain] = entry.row
            Self.replaceWinner(with: Player(key: entry.key, rank: chain), &all)
        }
        return nil
    }

    private mutating func swapLists(_ players: inout [Player], _ readers: inout [Reader], _ rows: inout [Int64]) {
        swap(&players, &self.players)
        swap(&readers, &self.readers)
        swap(&rows, &self.rows)
    }

    /// Puts the winner's chain into the tree again, with its next key, and finds the new winner.
    @inline(__always)
    private static func replaceWinner(with player: Player, _ all: inout MutableSpan<Player>) {
        var winner = player
        var node = (player.rank & (all.count - 1) + all.count) / 2
        while node > 0 {
            let loser = all[node]
            // Both are stored in any case: which one wins cannot be predicted.
            let isBefore = loser.comes(before: winner)
            all[node] = isBefore ? winner : loser
            winner = isBefore ? loser : winner
            node /= 2
        }
        all[0] = winner
    }

    /// Returns the next entry of a chain, which has been read.
    @inline(__always)
    private static func take(_ reader: inout Reader, _ buffer: borrowing ByteBuffer) -> IntegerEntry {
        var place = reader.place
        var entry = IntegerEntry()
        if reader.run.hasShortKeys {
            entry.key = reader.run.lowest &+ UInt64(buffer.load(UInt32.self, at: place))
            place += 4
        } else {
            entry.key = reader.run.lowest &+ buffer.load(UInt64.self, at: place)
            place += 8
        }
        if reader.run.hasShortRows {
            entry.row = Int64(buffer.load(UInt32.self, at: place))
            place += 4
        } else {
            entry.row = buffer.load(Int64.self, at: place)
            place += 8
        }
        reader.place = place
        return entry
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
        guard count > 0 else { return false }
        guard try file.read(&buffer, start..<start + count, at: reader.next) == count else {
            throw BuildError(.file("ends too early", 0), path: file.path)
        }
        readers[index].next += Int64(count)
        readers[index].place = start
        readers[index].end = start + count
        return true
    }
}
