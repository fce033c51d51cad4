/// 64-bit words in an unnamed file, in the machine's byte order: intermediate data of sorts and joins.
public final class WordFile {
    private let file: OutputFile
    /// The last words, which have not been written yet. Writing large pieces needs fewer system calls.
    @exclusivity(unchecked) private var waiting: [UInt64] = []
    private let mostWaiting: Int
    /// The number of words.
    @exclusivity(unchecked) public private(set) var count = 0

    /// Creates an empty file.
    /// - Parameter path: the path of the file beside which this one is created.
    /// - Throws: `BuildError` if the file cannot be created.
    public convenience init(beside path: String) throws(BuildError) {
        try self.init(beside: path, mostWaiting: 1 << 13)
    }

    package init(beside path: String, mostWaiting: Int) throws(BuildError) {
        file = try OutputFile(unnamedBeside: path)
        self.mostWaiting = mostWaiting
    }

    /// Appends a range of an array's words.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func append(_ words: [UInt64], _ range: Range<Int>) throws(BuildError) {
        waiting.append(contentsOf: words[range])
        count += range.count
        if waiting.count >= mostWaiting { try flush() }
    }

    /// Writes the words that are still in memory. Until the next ones are appended, several threads may read.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func flush() throws(BuildError) {
        let start = Int64(count - waiting.count) * 8
        var words: [UInt64] = []
        swap(&words, &waiting)
        try file.write(words.span, at: start)
        words.removeAll(keepingCapacity: true)
        swap(&words, &waiting)
    }

    /// Releases the space of the words on another thread. They cannot be read any more.
    public func discard() { file.discard() }

    /// Replaces the words of an array with a range of the file's words.
    /// - Throws: `BuildError` if the file ends before the range, or cannot be read.
    public func read(_ range: Range<Int>, into words: inout [UInt64]) throws(BuildError) {
        if range.upperBound > count - waiting.count { try flush() }
        if words.count != range.count { words = [UInt64](repeating: 0, count: range.count) }
        var span = words.mutableSpan
        guard try file.read(&span, at: Int64(range.lowerBound) * 8) == range.count * 8 else {
            throw BuildError(.file("ends too early", 0), path: file.path)
        }
    }
}
