/// Pieces of bytes in an unnamed file. Adding a piece returns the place at which it is found again.
public final class ByteFile {
    private let file: OutputFile
    @exclusivity(unchecked) private var buffer = ByteBuffer(capacity: ByteFile.bufferSize)
    @exclusivity(unchecked) private var used = 0
    /// The number of bytes in the file.
    @exclusivity(unchecked) private var written: Int64 = 0
    @exclusivity(unchecked) private var window = ByteBuffer(capacity: ByteFile.bufferSize)
    @exclusivity(unchecked) private var windowRange: Range<Int64> = 0..<0

    private static let bufferSize = 1 << 16
    private static let prefix = 4
    /// The number of bytes that are read at a place far from the last one; most pieces are smaller.
    private static let farBytes = 512

    /// Creates an empty file.
    /// - Parameter path: the path of the file beside which this one is created.
    /// - Throws: `BuildError` if the file cannot be created.
    public init(beside path: String) throws(BuildError) {
        file = try OutputFile(unnamedBeside: path)
    }

    /// Adds a piece, and returns its place.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func append(_ bytes: Span<UInt8>) throws(BuildError) -> Int64 {
        if used + Self.prefix + bytes.count > buffer.capacity {
            try flush()
            buffer.reserve(Self.prefix + bytes.count)
        }
        let place = written + Int64(used)
        buffer.store(UInt32(truncatingIfNeeded: bytes.count), at: used)
        buffer.copy(bytes, at: used + Self.prefix)
        used += Self.prefix + bytes.count
        return place
    }

    /// Releases the space of the pieces on another thread. They cannot be read any more.
    public func discard() { file.discard() }

    private func flush() throws(BuildError) {
        try file.write(buffer, 0..<used, at: written)
        written += Int64(used)
        used = 0
    }

    /// Calls a closure with the piece at a place. Pieces that lie close together are read together.
    /// - Throws: `BuildError` if the file cannot be written or read; the closure's error.
    public func withPiece<Result, Failure: Error>(
        at place: Int64, _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws -> Result {
        try flush()
        try load(place, Self.prefix)
        let count = Int(window.load(UInt32.self, at: Int(place - windowRange.lowerBound)))
        try load(place, Self.prefix + count)
        let start = Int(place - windowRange.lowerBound) + Self.prefix
        return try window.withBytes(start..<start + count, body)
    }

    /// Calls a closure with all pieces, in the order in which they were added.
    /// - Throws: `BuildError` if the file cannot be written or read; the closure's error.
    public func forEachPiece(_ body: (Span<UInt8>) throws -> Void) throws {
        try flush()
        var place: Int64 = 0
        while place < written {
            place += try withPiece(at: place) { piece in
                try body(piece)
                return Int64(Self.prefix + piece.count)
            }
        }
    }

    private func load(_ place: Int64, _ count: Int) throws(BuildError) {
        if place >= windowRange.lowerBound, place + Int64(count) <= windowRange.upperBound { return }
        window.reserve(count)
        // A piece far from the last one is read alone, because the next one is probably not near it either.
        let isNear = place > windowRange.lowerBound && place <= windowRange.upperBound + Int64(Self.bufferSize)
        let wanted = Int(min(Int64(isNear ? window.capacity : max(count, Self.farBytes)), written - place))
        guard place >= 0, wanted >= count, try file.read(&window, 0..<wanted, at: place) == wanted else {
            throw BuildError(.file("ends too early", 0), path: file.path)
        }
        windowRange = place..<place + Int64(wanted)
    }
}
