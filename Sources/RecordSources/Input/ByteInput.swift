public import CompressedStreams

/// The bytes of a source in order: a file, standard input or bytes in memory; of a compressed one what it decodes to.
///
/// One owner reads it, on one thread. The descriptor of a file is closed with the last reference.
public final class ByteInput {
    /// What messages and reject logs call the source: the path, `-` for standard input.
    public let name: String

    /// The most bytes that one read asks for.
    public let chunkBytes: Int

    /// How far the input has been read, in decoded bytes.
    public private(set) var offset = 0

    /// Whether places in it are those of the file: of a regular file that is not compressed.
    public var isPlainFile: Bool { decoding == nil && file.isRegular }

    /// How the source is compressed; nil if it is not.
    public let compression: StreamCompression?

    /// Why reading failed; nil while it has not.
    private(set) var failure: SourceError?

    private let file: RawInput
    private let decoding: DecodedInput?

    /// 256 KiB: a few reads per mebibyte cost nothing measurable, and the window stays in the second-level cache.
    public static let defaultChunkBytes = 256 << 10

    /// Opens a file or pipe, or standard input for `-`.
    /// - Throws: `SourceError` if it cannot be opened, is a directory, or is a stream that is being read.
    public convenience init(path: String, chunkBytes: Int = ByteInput.defaultChunkBytes) throws(SourceError) {
        try self.init(
            StreamInput.isStream(path) ? StreamInput.input(path) : RawInput(path: path), chunkBytes: chunkBytes)
    }

    /// Reads bytes that lie in memory, in chunks of at most `chunkBytes`.
    public convenience init(
        bytes: [UInt8], name: String, chunkBytes: Int = ByteInput.defaultChunkBytes
    ) {
        self.init(plain: RawInput(bytes: bytes, name: name), chunkBytes: chunkBytes)
    }

    /// Reads compressed bytes that lie in memory.
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

    /// Reads at most `chunkBytes` into the free end of a buffer, from `start` on; returns 0 at the end of the input.
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

    /// Goes forward to a byte offset: by seeking in a file, by reading elsewhere; false if the input ends before it.
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
