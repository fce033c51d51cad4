/// Pairs of numbers on disk, in the order in which they are added.
public final class PairFile {
    private let file: WordFile
    @exclusivity(unchecked) private var buffer: [UInt64] = []
    /// The number of pairs on disk, without those that `finish()` has not written yet.
    public var count: Int { file.count / 2 }

    static let bufferWords = 1 << 12

    /// Creates an empty file.
    /// - Parameter path: the path of the file beside which this one is created.
    /// - Throws: `BuildError` if the file cannot be created.
    public init(_ path: String) throws(BuildError) {
        file = try WordFile(beside: path)
    }

    /// Adds a pair.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func append(_ first: Int64, _ second: Int64) throws(BuildError) {
        buffer.append(UInt64(bitPattern: first))
        buffer.append(UInt64(bitPattern: second))
        if buffer.count >= Self.bufferWords { try finish() }
    }

    /// Adds a pair of the first number with each of the second numbers.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func append(_ first: Int64, _ seconds: [Int64]) throws(BuildError) {
        for second in seconds {
            buffer.append(UInt64(bitPattern: first))
            buffer.append(UInt64(bitPattern: second))
        }
        if buffer.count >= Self.bufferWords { try finish() }
    }

    /// Writes the pairs that are still in memory.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func finish() throws(BuildError) {
        guard !buffer.isEmpty else { return }
        try file.append(buffer, buffer.indices)
        buffer.removeAll(keepingCapacity: true)
    }

    /// The pairs that were read for the last lookup. Most lookups are in ascending order.
    @exclusivity(unchecked) private var window: [UInt64] = []

    /// Returns the second number of the pair with a first number, which must be unique; nil if there is no such pair.
    /// The pairs must be sorted, and `finish()` must have been called.
    /// - Throws: `BuildError` if the file cannot be read.
    public func value(of number: Int64) throws(BuildError) -> Int64? {
        guard file.count > 0 else { return nil }
        if !isInWindow(number) { try readWindow(of: number) }
        var (low, high) = (0, window.count / 2)
        while low < high {
            let middle = (low + high) / 2
            let first = Int64(bitPattern: window[2 * middle])
            if first == number { return Int64(bitPattern: window[2 * middle + 1]) }
            if first < number { low = middle + 1 } else { high = middle }
        }
        return nil
    }

    private func isInWindow(_ number: Int64) -> Bool {
        guard let first = window.first else { return false }
        return Int64(bitPattern: first) <= number && number <= Int64(bitPattern: window[window.count - 2])
    }

    /// Reads the last block of pairs whose first pair has this number or a lower one.
    private func readWindow(of number: Int64) throws(BuildError) {
        let blocks = (file.count + Self.bufferWords - 1) / Self.bufferWords
        var (low, high) = (0, blocks)
        var words: [UInt64] = []
        while low < high {
            let middle = (low + high) / 2
            try file.read(middle * Self.bufferWords..<middle * Self.bufferWords + 1, into: &words)
            if Int64(bitPattern: words[0]) <= number { low = middle + 1 } else { high = middle }
        }
        let start = max(0, low - 1) * Self.bufferWords
        try file.read(start..<min(file.count, start + Self.bufferWords), into: &window)
    }

    /// Begins to read the pairs.
    /// - Throws: `BuildError` if the file cannot be read.
    public func cursor() throws(BuildError) -> PairCursor {
        try PairCursor(file)
    }
}

/// A cursor over pairs of numbers.
public final class PairCursor {
    private let file: WordFile
    @exclusivity(unchecked) private var words: [UInt64] = []
    @exclusivity(unchecked) private var place = 0
    @exclusivity(unchecked) private var nextWord = 0
    /// The first number of the next pair; nil after the last one.
    @exclusivity(unchecked) public private(set) var first: Int64?
    /// The second number of the next pair; meaningless if `first` is nil.
    @exclusivity(unchecked) public private(set) var second: Int64 = 0

    init(_ file: WordFile) throws(BuildError) {
        self.file = file
        try advance()
    }

    /// Moves to the next pair; `first` is nil after the last one.
    /// - Throws: `BuildError` if the file cannot be read.
    public func advance() throws(BuildError) {
        if place >= words.count {
            let end = min(file.count, nextWord + PairFile.bufferWords)
            guard end > nextWord else {
                first = nil
                return
            }
            try file.read(nextWord..<end, into: &words)
            nextWord = end
            place = 0
        }
        first = Int64(bitPattern: words[place])
        second = Int64(bitPattern: words[place + 1])
        place += 2
    }

    /// Moves to the first pair with this number or a larger one; returns whether it has this number.
    /// - Throws: `BuildError` if the file cannot be read.
    public func seek(_ number: Int64) throws(BuildError) -> Bool {
        while let current = first, current < number { try advance() }
        return first == number
    }
}
