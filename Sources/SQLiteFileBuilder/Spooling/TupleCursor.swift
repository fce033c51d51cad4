/// A cursor over tuples of numbers on disk.
public final class TupleCursor {
    private let file: WordFile
    private let runs: TupleRunFile.Chain
    let width: Int
    private let tuplesAtOnce: Int
    /// The run that is read, and the first of its words that has not been read yet.
    @exclusivity(unchecked) private var run = 0
    @exclusivity(unchecked) private var nextWord = 0
    /// The numbers of the tuples that have been read.
    @exclusivity(unchecked) private var numbers: [Int64] = []
    @exclusivity(unchecked) private var place = 0
    private var words: [UInt64] = []

    /// - Parameter tuplesAtOnce: the number of tuples that are read at a time.
    init(_ file: WordFile, _ runs: TupleRunFile.Chain, width: Int, tuplesAtOnce: Int = PairFile.bufferWords) {
        self.file = file
        self.runs = runs
        self.width = width
        self.tuplesAtOnce = tuplesAtOnce
        nextWord = runs.first?.words.lowerBound ?? 0
    }

    /// Returns a cursor over the same tuples that begins with the first one.
    public func restarted() -> TupleCursor { TupleCursor(file, runs, width: width, tuplesAtOnce: tuplesAtOnce) }

    /// Returns a copy of the next tuple; nil after the last one.
    /// - Throws: `BuildError` if the file cannot be read.
    public func next() throws(BuildError) -> [Int64]? {
        guard try advance() else { return nil }
        return (0..<width).map { self[$0] }
    }

    /// Moves to the next tuple, which is not copied; returns false after the last one.
    /// - Throws: `BuildError` if the file cannot be read.
    @inline(__always)
    public func advance() throws(BuildError) -> Bool {
        place += width
        if place < numbers.count { return true }
        return try readMore()
    }

    @inline(never)
    private func readMore() throws(BuildError) -> Bool {
        while run < runs.count, nextWord == runs[run].words.upperBound {
            run += 1
            nextWord = run < runs.count ? runs[run].words.lowerBound : 0
        }
        isAtEnd = run == runs.count
        (place, numbers) = (0, isAtEnd ? [] : numbers)
        guard !isAtEnd else { return false }
        let packing = runs[run].packing
        let end = min(runs[run].words.upperBound, nextWord + packing.wordCount * tuplesAtOnce)
        try file.read(nextWord..<end, into: &words)
        nextWord = end
        let read = words
        packing.unpack(read.span, to: &numbers)
        return true
    }

    /// Whether there is no tuple any more.
    @exclusivity(unchecked) public private(set) var isAtEnd = false

    /// A number of the current tuple, to which `advance()` has moved.
    @inline(__always)
    public subscript(index: Int) -> Int64 {
        precondition(index < width, "the tuple has fewer numbers")
        return numbers[place + index]
    }
}
