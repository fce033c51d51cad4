/// The compression format of a stream that is read from front to back.
public enum StreamCompression: String, CaseIterable, Hashable, Sendable {
    /// gzip, as RFC 1952 defines it.
    case gzip
    /// Zstandard, as RFC 8878 defines it.
    case zstd

    /// The number of bytes by which a format is recognized.
    public static let magicCount = 4

    /// Recognizes the format by the first bytes of a stream; nil if they are not in a known format.
    public init?(start: some Collection<UInt8>) {
        let start = Array(start.prefix(Self.magicCount))
        if start.starts(with: [0x1F, 0x8B]) {
            self = .gzip
        } else if start == [0x28, 0xB5, 0x2F, 0xFD] {
            self = .zstd
        } else if start.count == 4, start[0] & 0xF0 == 0x50, start[1...] == [0x2A, 0x4D, 0x18] {
            // A skippable frame, which parallel compressors write before the data.
            self = .zstd
        } else {
            return nil
        }
    }

    /// The extensions of compressed files, without the dot.
    public var fileExtensions: [String] {
        switch self {
        case .gzip: ["gz", "gzip"]
        case .zstd: ["zst", "zstd"]
        }
    }

    /// Returns a path without its compression extension; nil if it has none.
    public static func uncompressedPath(_ path: String) -> String? {
        for ending in allCases.flatMap(\.fileExtensions) {
            let count = ending.count + 1
            guard path.count > count, path.suffix(count).lowercased() == "." + ending else { continue }
            let rest = path.dropLast(count)
            return rest.last == "/" ? nil : String(rest)
        }
        return nil
    }

    /// Returns a decoder for one stream.
    /// - Throws: `StreamDecodingError.outOfMemory` if the decoder's library cannot allocate memory.
    public func makeDecoder() throws(StreamDecodingError) -> any StreamDecoder {
        switch self {
        case .gzip: try GzipDecoder()
        case .zstd: try ZstdDecoder()
        }
    }
}
