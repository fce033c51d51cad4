/// Reads the entries of a run in order, each with its key.
final class RunReader {
    private let file: OutputFile
    private let normalizer: KeyNormalizer
    @exclusivity(unchecked) private var next: Int64
    private let end: Int64
    @exclusivity(unchecked) private(set) var buffer: ByteBuffer
    @exclusivity(unchecked) private var filled = 0
    /// The range of the current entry's record in the buffer.
    @exclusivity(unchecked) private(set) var record = 0..<0
    @exclusivity(unchecked) private(set) var key = ByteBuffer(capacity: 256)
    @exclusivity(unchecked) private(set) var keyCount = 0

    /// - Parameter pieceSize: the number of bytes that are read at a time; longer entries are read whole.
    init(_ run: Range<Int64>, _ file: OutputFile, _ normalizer: KeyNormalizer, pieceSize: Int) {
        self.file = file
        self.normalizer = normalizer
        buffer = ByteBuffer(capacity: pieceSize)
        (next, end) = (run.lowerBound, run.upperBound)
    }

    /// Moves to the next entry; returns false after the last one.
    func advance() throws(BuildError) -> Bool {
        var start = record.upperBound
        if start == filled, next == end { return false }
        try fill(&start, 4)
        let count = Int(buffer.load(UInt32.self, at: start))
        try fill(&start, 4 + count)
        record = start + 4..<start + 4 + count
        keyCount = normalizer.write(buffer, record, to: &key).count
        return true
    }

    /// Makes sure that a number of bytes from `start` on are in the buffer.
    private func fill(_ start: inout Int, _ count: Int) throws(BuildError) {
        guard start + count > filled else { return }
        buffer.move(start..<filled, to: 0)
        filled -= start
        start = 0
        buffer.reserve(count)
        let wanted = min(Int64(buffer.capacity - filled), end - next)
        let read = try file.read(&buffer, filled..<filled + Int(wanted), at: next)
        next += Int64(read)
        filled += read
        guard filled >= count else { throw BuildError(.file("ends too early", 0), path: file.path) }
    }

    /// Returns whether this entry comes before another one; entries with equal keys are in the order of their runs.
    func comes(before other: RunReader, isEarlier: Bool) -> Bool {
        let order = key.compare(0..<keyCount, other.key, 0..<other.keyCount)
        return order < 0 || order == 0 && isEarlier
    }
}
