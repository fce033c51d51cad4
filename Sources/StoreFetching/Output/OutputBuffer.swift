/// Bytes on their way to a file or a pipe, passed on by the block.
public struct OutputBuffer {
    /// Takes the bytes of a block.
    public typealias Sink = ([UInt8]) throws -> Void

    /// What is not yet passed on; writers append to it.
    public var bytes: [UInt8] = []
    private let sink: Sink

    /// The bytes of a block: large enough that a call per block costs nothing, small enough for any cache.
    private static let blockSize = 1 << 16

    public init(_ sink: @escaping Sink) {
        self.sink = sink
        bytes.reserveCapacity(Self.blockSize * 2)
    }

    /// Passes a full block on; call it between records.
    public mutating func flushIfFull() throws {
        if bytes.count >= Self.blockSize { try flush() }
    }

    /// Passes everything on.
    public mutating func flush() throws {
        guard !bytes.isEmpty else { return }
        try sink(bytes)
        bytes.removeAll(keepingCapacity: true)
    }
}
