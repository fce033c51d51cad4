/// Bytes on their way to a file or a pipe, passed on by the block.
public struct OutputBuffer {
    /// Takes the bytes of a block.
    public typealias Sink = ([UInt8]) throws -> Void

    /// What is not yet passed on; writers append to it.
    public var bytes: [UInt8] = []
    let limits: FetchLimits
    /// Takes the bytes and leaves none.
    private let pass: (inout [UInt8]) throws -> Void

    /// Makes a buffer that is empty.
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

    /// Passes a full block on; call it between records.
    /// - Throws: what the sink throws.
    public mutating func flushIfFull() throws {
        if bytes.count >= limits.block { try flush() }
    }

    /// Passes everything on.
    /// - Throws: what the sink throws.
    public mutating func flush() throws {
        guard !bytes.isEmpty else { return }
        try pass(&bytes)
        bytes.reserveCapacity(limits.block * 2)
    }
}
