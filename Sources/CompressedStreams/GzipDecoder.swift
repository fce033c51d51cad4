import CZlib

/// Decodes gzip (RFC 1952): one or more members, each with its checksum and length.
final class GzipDecoder: StreamDecoder {
    private enum State {
        case member
        /// After a member, another one may follow, or zeros up to the end of a block, as on tapes.
        case between
        case padding
    }

    private let inflation: Inflation
    private var state = State.member

    /// Windows of 32 KiB; adding 16 selects the gzip header.
    private static let windowBits = Int32(MAX_WBITS) + 16
    /// The first byte of a member.
    private static let firstByte: UInt8 = 0x1F

    init() throws(StreamDecodingError) {
        inflation = try Inflation(windowBits: Self.windowBits)
    }

    var isComplete: Bool { state != .member }

    func decode(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(StreamDecodingError) -> StreamProgress {
        if state != .member {
            let count = try skip(input)
            guard state == .member else { return StreamProgress(read: count, written: 0) }
        }
        let (progress, reached) = try inflation.decode(input, into: output)
        if reached == .ended { state = .between }
        return progress
    }

    /// Advances to the next member, skipping zeros after the last one.
    private func skip(_ input: UnsafeRawBufferPointer) throws(StreamDecodingError) -> Int {
        guard let first = input.first else { return 0 }
        if state == .between, first == Self.firstByte {
            try inflation.reset()
            state = .member
            return 0
        }
        state = .padding
        guard input.allSatisfy({ $0 == 0 }) else { throw .trailingContent }
        return input.count
    }
}
