import CompressedStreams

/// The first bytes of a source after decompression, which identify its format.
struct SourceStart {
    let bytes: [UInt8]
    /// The compression of the source; nil if it is not compressed.
    let compression: StreamCompression?

    /// The number of bytes that are sufficient to recognize all formats.
    private static let byteCount = 512

    /// Reads the first bytes of a source.
    init(path: String) throws(SourceError) {
        let isStream = StreamInput.isStream(path)
        let input =
            try isStream
            ? ByteInput(compressed: StreamInput.start(of: path), name: path)
            : ByteInput(path: path, chunkBytes: 4096)
        var found = [UInt8](repeating: 0, count: Self.byteCount)
        var count = 0
        while count < found.count {
            do {
                let read = try input.read(into: &found, at: count, atMost: found.count - count)
                if read == 0 { break }
                count += read
            } catch {
                // The rest of a stream has not been read yet.
                guard isStream, case .notDecoded(.truncated) = error.code else { throw error }
                break
            }
        }
        bytes = Array(found.prefix(count))
        compression = input.compression
    }
}
