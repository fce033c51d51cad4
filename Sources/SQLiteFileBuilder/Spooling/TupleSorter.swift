/// Sorts tuples of numbers by the first number, then the second, and so on, in bounded memory. Equal tuples keep their
/// order.
public final class TupleSorter {
    private let sorter: EntrySorter
    private let memory: SpoolMemory
    private let width: Int
    @exclusivity(unchecked) private var entry: RecordEncoder
    /// The number of tuples in the sorter.
    @exclusivity(unchecked) public private(set) var count = 0

    /// Creates an empty sorter.
    /// - Parameters:
    ///   - width: the number of numbers in each tuple.
    ///   - memory: the memory that the sorter shares with others.
    public init(width: Int, _ memory: SpoolMemory) {
        self.width = width
        self.memory = memory
        entry = RecordEncoder(columns: width)
        sorter = EntrySorter(
            KeyNormalizer(descending: [Bool](repeating: false, count: width)), memory: memory.sorting,
            beside: memory.path)
    }

    /// Adds a tuple with as many numbers as the sorter's width.
    /// - Throws: `BuildError` if tuples must be written to the disk, and it is full or fails.
    public func add(_ tuple: [Int64]) throws(BuildError) { try add(tuple.span) }

    /// Adds a tuple with as many numbers as the sorter's width, which an inline array can have without an allocation
    /// for each tuple.
    /// - Throws: `BuildError` if tuples must be written to the disk, and it is full or fails.
    public func add(_ tuple: Span<Int64>) throws(BuildError) {
        entry.removeAll()
        for index in 0..<min(width, tuple.count) { entry.add(tuple[index]) }
        entry.seal()
        try sorter.add(entry)
        count += 1
    }

    /// Returns all tuples in order, and empties the sorter.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func sorted() throws(BuildError) -> TupleCursor {
        let file = try WordFile(beside: memory.path)
        var words: [UInt64] = []
        let record = StoredRecord()
        try sorter.drain { (bytes, range) throws(BuildError) in
            record.prepare(range.count)
            record.fill(bytes, range, at: 0)
            guard record.takeApart() else { return }
            for column in 0..<width { words.append(UInt64(bitPattern: record.integer(column) ?? 0)) }
            guard words.count >= PairFile.bufferWords else { return }
            try file.append(words, words.indices)
            words.removeAll(keepingCapacity: true)
        }
        if !words.isEmpty { try file.append(words, words.indices) }
        count = 0
        return TupleCursor(file, width: width)
    }
}

/// A cursor over tuples of numbers on disk.
public final class TupleCursor {
    private let file: WordFile
    private let width: Int
    @exclusivity(unchecked) private var words: [UInt64] = []
    @exclusivity(unchecked) private var place = 0
    @exclusivity(unchecked) private var nextWord = 0
    @exclusivity(unchecked) private var isBegun = false

    init(_ file: WordFile, width: Int) {
        self.file = file
        self.width = width
    }

    /// Returns a cursor over the same tuples that begins with the first one.
    public func restarted() -> TupleCursor { TupleCursor(file, width: width) }

    /// Returns a copy of the next tuple; nil after the last one.
    /// - Throws: `BuildError` if the file cannot be read.
    public func next() throws(BuildError) -> [Int64]? {
        guard try advance() else { return nil }
        return (0..<width).map { self[$0] }
    }

    /// Moves to the next tuple, which is not copied; returns false after the last one.
    /// - Throws: `BuildError` if the file cannot be read.
    public func advance() throws(BuildError) -> Bool {
        place = isBegun ? place + width : 0
        isBegun = true
        if place >= words.count {
            let end = min(file.count, nextWord + width * PairFile.bufferWords)
            isAtEnd = end <= nextWord
            guard !isAtEnd else { return false }
            try file.read(nextWord..<end, into: &words)
            (nextWord, place) = (end, 0)
        }
        return true
    }

    /// Whether there is no tuple any more.
    @exclusivity(unchecked) public private(set) var isAtEnd = false

    /// A number of the current tuple, to which `advance()` has moved.
    public subscript(index: Int) -> Int64 {
        precondition(index < width, "the tuple has fewer numbers")
        return Int64(bitPattern: words[place + index])
    }
}
