/// Bytes on their way to a file or a pipe, passed on by the block.
public struct OutputBuffer {
    /// Takes the bytes of a block.
    public typealias Sink = ([UInt8]) throws -> Void

    /// What is not yet passed on; writers append to it.
    public var bytes: [UInt8] = []
    let limits: FetchLimits
    private let sink: Sink

    /// Makes a buffer that is empty.
    public init(limits: FetchLimits = FetchLimits(), _ sink: @escaping Sink) {
        self.limits = limits
        self.sink = sink
        bytes.reserveCapacity(limits.block * 2)
    }

    /// Passes a full block on; call it between records.
    /// - Throws: what the sink throws.
    public mutating func flushIfFull() throws {
        if bytes.count >= limits.block { try flush() }
    }

    /// Passes everything on.
    /// - Throws: what the sink throws.
    public mutating func flush() throws {
        guard !bytes.isEmpty else { return }
        try sink(bytes)
        bytes.removeAll(keepingCapacity: true)
    }
}
