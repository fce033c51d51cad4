/// Packed tuples of numbers on disk, in the order in which they are added.
public final class TupleFile {
    private let file: WordFile
    private let width: Int
    @exclusivity(unchecked) private var buffer: [UInt64] = []
    /// The tuples that have one packing. There are never more than the numbers of a tuple have bits.
    private var runs: TupleRunFile.Chain = []

    /// Creates an empty file.
    /// - Parameters:
    ///   - width: the number of numbers in each tuple.
    ///   - memory: names the file beside which this one is created.
    /// - Throws: `BuildError` if the file cannot be created.
    public init(width: Int, _ memory: SpoolMemory) throws(BuildError) {
        self.width = width
        file = try WordFile(beside: memory.path)
    }

    /// Adds a tuple with as many numbers as the file's width.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func append(_ tuple: Span<Int64>) throws(BuildError) {
        for index in 0..<min(width, tuple.count) { buffer.append(UInt64(bitPattern: tuple[index])) }
        if buffer.count >= PairFile.bufferWords { try flush() }
    }

    private func flush() throws(BuildError) {
        guard !buffer.isEmpty else { return }
        let packing = packing(for: TuplePacking(of: buffer.span, width: width))
        let count = buffer.count / width
        var words = buffer.mutableSpan
        for index in 0..<count { packing.pack(&words, from: index * width, to: index * packing.wordCount) }
        try file.append(buffer, 0..<count * packing.wordCount)
        runs[runs.count - 1].words = runs[runs.count - 1].words.lowerBound..<file.count
        buffer.removeAll(keepingCapacity: true)
    }

    /// Returns the packing of the last run, in which tuples fit. If there is none, a run begins.
    private func packing(for tuples: TuplePacking) -> TuplePacking {
        if let last = runs.last?.packing, last.includes(tuples) { return last }
        let packing = (runs.last?.packing ?? tuples).extended(by: tuples)
        runs.append(TupleRunFile.Run(words: file.count..<file.count, packing: packing))
        return packing
    }

    /// Begins to read the tuples. No more may be added then.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func cursor() throws(BuildError) -> TupleCursor {
        try flush()
        return TupleCursor(file, runs, width: width)
    }

    /// Releases the space of the tuples on another thread. They cannot be read any more.
    public func discard() { file.discard() }
}
