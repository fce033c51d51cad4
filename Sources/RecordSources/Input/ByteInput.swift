public import CompressedStreams

/// The bytes of a source in order: of a file, of standard input, or in memory. Compressed sources are decompressed.
///
/// An input is read by one owner on one thread. The descriptor of a file is closed when the last reference is released.
public final class ByteInput {
    /// The name of the source in messages and reject logs: the path, or `-` for standard input.
    public let name: String

    /// The largest number of bytes that are requested at a time.
    public let chunkBytes: Int

    /// The number of decoded bytes that have been read.
    public private(set) var offset = 0

    /// Whether offsets in the input are offsets in the file, as in regular files that are not compressed.
    public var isPlainFile: Bool { decoding == nil && file.isRegular }

    /// The compression of the source; nil if it is not compressed.
    public let compression: StreamCompression?

    /// The error of a failed read; nil if there was none.
    private(set) var failure: SourceError?

    private let file: RawInput
    private let decoding: DecodedInput?

    /// 256 KiB: the cost of a few reads for each mebibyte is not measurable, and the window fits into the second-level
    /// cache.
    public static let defaultChunkBytes = 256 << 10

    /// Opens a file or pipe, or standard input for `-`.
    /// - Throws: `SourceError` if it cannot be opened, is a directory, or is a stream that is already being read.
    public convenience init(path: String, chunkBytes: Int = ByteInput.defaultChunkBytes) throws(SourceError) {
        try self.init(
            StreamInput.isStream(path) ? StreamInput.input(path) : RawInput(path: path), chunkBytes: chunkBytes)
    }

    /// Creates an input from bytes in memory, read in chunks of at most `chunkBytes`.
    public convenience init(
        bytes: [UInt8], name: String, chunkBytes: Int = ByteInput.defaultChunkBytes
    ) {
        self.init(plain: RawInput(bytes: bytes, name: name), chunkBytes: chunkBytes)
    }

    /// Creates an input from compressed bytes in memory.
    convenience init(
        compressed bytes: [UInt8], name: String, chunkBytes: Int = ByteInput.defaultChunkBytes
    ) throws(SourceError) {
        try self.init(RawInput(bytes: bytes, name: name), chunkBytes: chunkBytes)
    }

    private init(plain file: RawInput, chunkBytes: Int) {
        self.file = file
        name = file.name
        self.chunkBytes = max(1, chunkBytes)
        compression = nil
        decoding = nil
    }

    private init(_ file: RawInput, chunkBytes: Int) throws(SourceError) {
        self.file = file
        name = file.name
        self.chunkBytes = max(1, chunkBytes)
        compression = StreamCompression(start: try file.start(StreamCompression.magicCount))
        decoding = try compression.map { compression throws(SourceError) in
            try DecodedInput(file, compression, pieceBytes: max(1, chunkBytes))
        }
    }

    /// Reads at most `chunkBytes` into the unused end of a buffer, from `start` on; returns 0 at the end of the input.
    func read(into buffer: inout [UInt8], at start: Int, atMost limit: Int) throws(SourceError) -> Int {
        let wanted = min(chunkBytes, limit, buffer.count - start)
        guard wanted > 0 else { return 0 }
        do throws(SourceError) {
            let count =
                if let decoding { try decoding.read(into: &buffer, start..<start + wanted) } else {
                    try file.read(into: &buffer, start..<start + wanted)
                }
            offset += count
            return count
        } catch {
            failure = error
            throw error
        }
    }

    /// Moves forward to a byte offset, by seeking if possible, otherwise by reading; returns false if the input ends
    /// before it.
    func skip(to target: Int) throws(SourceError) -> Bool {
        guard target > offset else { return target == offset }
        if decoding == nil, let isThere = file.seek(to: target) {
            if isThere { offset = target }
            return isThere
        }
        var discarded = [UInt8](repeating: 0, count: chunkBytes)
        while offset < target {
            if try read(into: &discarded, at: 0, atMost: target - offset) == 0 { return false }
        }
        return true
    }
}
