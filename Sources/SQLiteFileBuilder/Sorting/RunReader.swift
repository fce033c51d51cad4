/// Reads the entries of one run one after the other, each with its key.
final class RunReader {
    private let file: OutputFile
    private let normalizer: KeyNormalizer
    @exclusivity(unchecked) private var next: Int64
    private let end: Int64
    @exclusivity(unchecked) private(set) var buffer: ByteBuffer
    @exclusivity(unchecked) private var filled = 0
    /// The record of the current entry, in the buffer.
    @exclusivity(unchecked) private(set) var record = 0..<0
    @exclusivity(unchecked) private(set) var key = ByteBuffer(capacity: 256)
    @exclusivity(unchecked) private(set) var keyCount = 0

    /// - Parameter pieceSize: bytes that are read at once; an entry that is longer is read whole.
    init(_ run: Range<Int64>, _ file: OutputFile, _ normalizer: KeyNormalizer, pieceSize: Int) {
        self.file = file
        self.normalizer = normalizer
        buffer = ByteBuffer(capacity: pieceSize)
        (next, end) = (run.lowerBound, run.upperBound)
    }

    /// Goes to the next entry; false behind the last one.
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

    /// Makes sure that so many bytes from `start` on are in the buffer.
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

    /// Whether this entry comes before another: equal keys are in the order of their runs.
    func comes(before other: RunReader, isEarlier: Bool) -> Bool {
        let order = key.compare(0..<keyCount, other.key, 0..<other.keyCount)
        return order < 0 || order == 0 && isEarlier
    }
}
