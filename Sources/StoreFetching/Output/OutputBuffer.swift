/// A buffer of output for a file or a pipe, passed on in blocks.
public struct OutputBuffer {
    /// Receives the bytes of a block.
    public typealias Sink = ([UInt8]) throws -> Void

    /// The pending output; writers append to it.
    public var bytes: [UInt8] = []
    let limits: FetchLimits
    private let sink: Sink

    /// Makes an empty buffer.
    public init(limits: FetchLimits = FetchLimits(), _ sink: @escaping Sink) {
        self.limits = limits
        self.sink = sink
        bytes.reserveCapacity(limits.block * 2)
    }

    /// Passes the output to the sink if a block is full; call it between records.
    /// - Throws: any error of the sink.
    public mutating func flushIfFull() throws {
        if bytes.count >= limits.block { try flush() }
    }

    /// Passes all output to the sink.
    /// - Throws: any error of the sink.
    public mutating func flush() throws {
        guard !bytes.isEmpty else { return }
        try sink(bytes)
        bytes.removeAll(keepingCapacity: true)
    }
}
