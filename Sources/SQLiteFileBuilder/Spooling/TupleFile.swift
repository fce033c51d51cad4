/// Tuples of numbers on disk, in the order in which they are added.
public final class TupleFile {
    private let file: WordFile
    private let width: Int
    @exclusivity(unchecked) private var buffer: [UInt64] = []

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
        try file.append(buffer, buffer.indices)
        buffer.removeAll(keepingCapacity: true)
    }

    /// Begins to read the tuples. No more may be added then.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func cursor() throws(BuildError) -> TupleCursor {
        try flush()
        let run = TupleRunFile.Run(words: 0..<file.count, packing: TuplePacking(width: width))
        return TupleCursor(file, [run], width: width)
    }

    /// Releases the space of the tuples on another thread. They cannot be read any more.
    public func discard() { file.discard() }
}
