/// How a stream of bytes is compressed that can be read from front to back.
public enum StreamCompression: String, CaseIterable, Hashable, Sendable {
    /// gzip, as RFC 1952 defines it.
    case gzip
    /// Zstandard, as RFC 8878 defines it.
    case zstd

    /// The bytes that tell it.
    public static let magicCount = 4

    /// What the first bytes of a stream tell; nil if they are not compressed in a way that can be read.
    public init?(start: some Collection<UInt8>) {
        let start = Array(start.prefix(Self.magicCount))
        if start.starts(with: [0x1F, 0x8B]) {
            self = .gzip
        } else if start == [0x28, 0xB5, 0x2F, 0xFD] {
            self = .zstd
        } else if start.count == 4, start[0] & 0xF0 == 0x50, start[1...] == [0x2A, 0x4D, 0x18] {
            // A frame that is skipped, as parallel compressors write one before the data.
            self = .zstd
        } else {
            return nil
        }
    }

    /// The endings of compressed files, without the dot.
    public var fileExtensions: [String] {
        switch self {
        case .gzip: ["gz", "gzip"]
        case .zstd: ["zst", "zstd"]
        }
    }

    /// A path without the ending that says how the file is compressed; nil if it has none.
    public static func uncompressedPath(_ path: String) -> String? {
        for ending in allCases.flatMap(\.fileExtensions) {
            let count = ending.count + 1
            guard path.count > count, path.suffix(count).lowercased() == "." + ending else { continue }
            let rest = path.dropLast(count)
            return rest.last == "/" ? nil : String(rest)
        }
        return nil
    }

    /// A decoder for a stream of its own.
    /// - Throws: `StreamDecodingError.outOfMemory` if the decoder's library cannot get its memory.
    public func makeDecoder() throws(StreamDecodingError) -> any StreamDecoder {
        switch self {
        case .gzip: try GzipDecoder()
        case .zstd: try ZstdDecoder()
        }
    }
}
