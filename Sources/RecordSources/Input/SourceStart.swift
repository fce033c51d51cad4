import CompressedStreams
internal import Glibc

/// The first bytes of a source, decompressed, which tell what it is.
struct SourceStart {
    let bytes: [UInt8]
    /// How the source is compressed; nil if it is not.
    let compression: StreamCompression?

    /// As many bytes as tell all formats.
    private static let byteCount = 512

    /// Looks at a source; the bytes of a pipe can be read once only, and are not looked at, unless it is standard input.
    init(path: String) throws(SourceError) {
        let input: ByteInput
        if path == "-" {
            let start = try StandardInput.start()
            input = try ByteInput(compressed: start, name: path)
        } else {
            guard try Self.isRegular(path) else {
                bytes = []
                compression = nil
                return
            }
            input = try ByteInput(path: path, chunkBytes: 4096)
        }
        var found = [UInt8](repeating: 0, count: Self.byteCount)
        var count = 0
        while count < found.count {
            do {
                let read = try input.read(into: &found, at: count, atMost: found.count - count)
                if read == 0 { break }
                count += read
            } catch {
                // Of standard input the rest is not there yet.
                guard path == "-", case .notDecoded(.truncated) = error.code else { throw error }
                break
            }
        }
        bytes = Array(found.prefix(count))
        compression = input.compression
    }

    private static func isRegular(_ path: String) throws(SourceError) -> Bool {
        var information = stat()
        guard stat(path, &information) == 0 else { throw SourceError(.cannotOpen(systemError: errno), in: path) }
        guard information.st_mode & S_IFMT != S_IFDIR else {
            throw SourceError(.cannotOpen(systemError: EISDIR), in: path)
        }
        return information.st_mode & S_IFMT == S_IFREG
    }
}
