/// Pairs of numbers on disk, in their order.
public final class PairFile {
    private let file: WordFile
    @exclusivity(unchecked) private var buffer: [UInt64] = []
    public var count: Int { file.count / 2 }

    static let bufferWords = 1 << 12

    /// - Parameter path: the file beside which this one is.
    public init(_ path: String) throws(BuildError) {
        file = try WordFile(beside: path)
    }

    public func append(_ first: Int64, _ second: Int64) throws(BuildError) {
        buffer.append(UInt64(bitPattern: first))
        buffer.append(UInt64(bitPattern: second))
        if buffer.count >= Self.bufferWords { try finish() }
    }

    /// Writes what is left.
    public func finish() throws(BuildError) {
        guard !buffer.isEmpty else { return }
        try file.append(buffer, buffer.indices)
        buffer.removeAll(keepingCapacity: true)
    }

    /// The second number of a pair whose first number no other has; nil if there is no such pair. The pairs must be sorted.
    public func value(of number: Int64) throws(BuildError) -> Int64? {
        var (low, high) = (0, count)
        var words: [UInt64] = []
        while low < high {
            let middle = (low + high) / 2
            try file.read(2 * middle..<2 * middle + 2, into: &words)
            let first = Int64(bitPattern: words[0])
            if first == number { return Int64(bitPattern: words[1]) }
            if first < number { low = middle + 1 } else { high = middle }
        }
        return nil
    }

    /// Begins to read.
    public func cursor() throws(BuildError) -> PairCursor {
        try PairCursor(file)
    }
}

/// Walks pairs of numbers.
public final class PairCursor {
    private let file: WordFile
    @exclusivity(unchecked) private var words: [UInt64] = []
    @exclusivity(unchecked) private var place = 0
    @exclusivity(unchecked) private var nextWord = 0
    /// The first number of the pair that is next; nil behind the last one.
    @exclusivity(unchecked) public private(set) var first: Int64?
    @exclusivity(unchecked) public private(set) var second: Int64 = 0

    init(_ file: WordFile) throws(BuildError) {
        self.file = file
        try advance()
    }

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

    /// Goes to the first pair with this number or a larger one; whether it has this number.
    public func seek(_ number: Int64) throws(BuildError) -> Bool {
        while let current = first, current < number { try advance() }
        return first == number
    }
}
