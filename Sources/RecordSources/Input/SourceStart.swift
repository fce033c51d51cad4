import CompressedStreams

/// The first bytes of a source, decompressed, which tell what it is.
struct SourceStart {
    let bytes: [UInt8]
    /// How the source is compressed; nil if it is not.
    let compression: StreamCompression?

    /// As many bytes as tell all formats.
    private static let byteCount = 512

    /// Looks at a source.
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
                // Of a stream the rest is not there yet.
                guard isStream, case .notDecoded(.truncated) = error.code else { throw error }
                break
            }
        }
        bytes = Array(found.prefix(count))
        compression = input.compression
    }
}
