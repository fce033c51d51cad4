/// A buffer of output for a file or a pipe, passed on in blocks.
public struct OutputBuffer {
    /// Receives the bytes of a block.
    public typealias Sink = ([UInt8]) throws -> Void

    /// The pending output; writers append to it.
    public var bytes: [UInt8] = []
    let limits: FetchLimits
    /// Takes the bytes and leaves none.
    private let pass: (inout [UInt8]) throws -> Void

    /// Makes an empty buffer.
    public init(limits: FetchLimits = FetchLimits(), _ sink: @escaping Sink) {
        self.init(
            handingOver: { bytes in
                try sink(bytes)
                bytes.removeAll(keepingCapacity: true)
            }, limits: limits)
    }

    /// Makes an empty buffer that is handed over by the block.
    /// - Parameters:
    ///   - pass: takes the bytes, and leaves an empty array in their place, with memory that was used before.
    ///   - limits: how large a block is.
    package init(handingOver pass: @escaping (inout [UInt8]) throws -> Void, limits: FetchLimits) {
        self.limits = limits
        self.pass = pass
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
        try pass(&bytes)
        bytes.reserveCapacity(limits.block * 2)
    }
}
