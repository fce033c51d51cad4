import Glibc

/// A source of bytes for a reader: a file, read in pieces, or an array.
struct ByteSource: ~Copyable {
    /// The size of a piece in bytes: large enough that calls cost little, small enough for the cache.
    static let pieceSize = 65_536

    let name: String
    private let descriptor: Int32?
    private let bytes: [UInt8]
    private let reading: ((inout [UInt8]) throws(DocumentError) -> Int)?
    private var offset = 0
    private var buffer: [UInt8] = []

    /// Opens a file.
    init(path: String) throws(DocumentError) {
        name = path
        bytes = []
        reading = nil
        let opened = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard opened >= 0 else { throw Self.failure(path) }
        descriptor = opened
        // Opening a directory succeeds, and only the first read fails.
        buffer = [UInt8](repeating: 0, count: Self.pieceSize)
    }

    init(bytes: [UInt8], name: String) {
        self.name = name
        self.bytes = bytes
        descriptor = nil
        reading = nil
    }

    /// Reads pieces from a closure, which fills the beginning of a buffer and returns the number of bytes; 0 at the
    /// end.
    init(name: String, reading: @escaping (inout [UInt8]) throws(DocumentError) -> Int) {
        self.name = name
        self.reading = reading
        bytes = []
        descriptor = nil
        buffer = [UInt8](repeating: 0, count: Self.pieceSize)
    }

    deinit {
        if let descriptor { _ = close(descriptor) }
    }

    /// The number of bytes passed on so far.
    var position: Int { offset }

    /// Calls a closure with the next piece; an empty one at the end.
    mutating func withNextPiece<Result>(
        _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) throws(DocumentError) -> Result {
        if let reading {
            let count = try reading(&buffer)
            offset += count
            return unsafe buffer.withUnsafeBufferPointer {
                unsafe body(UnsafeBufferPointer(rebasing: $0[..<count]))
            }
        }
        guard let descriptor else {
            let piece = offset..<min(offset + Self.pieceSize, bytes.count)
            offset = piece.upperBound
            return unsafe bytes.withUnsafeBufferPointer { unsafe body(UnsafeBufferPointer(rebasing: $0[piece])) }
        }
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                offset += count
                return unsafe buffer.withUnsafeBufferPointer {
                    unsafe body(UnsafeBufferPointer(rebasing: $0[..<count]))
                }
            }
            guard errno == EINTR else { throw Self.failure(name) }
        }
    }

    private static func failure(_ path: String) -> DocumentError {
        let reason = unsafe String(cString: strerror(errno))
        return DocumentError(.unreadable, reason, at: SourceLocation(file: path, line: 1))
    }
}
