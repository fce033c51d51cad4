import CZlib

/// Decodes gzip (RFC 1952): one member or several, one after the other, each with its checksum and length.
final class GzipDecoder: StreamDecoder {
    private enum State {
        case member
        /// Behind a member: another one may follow, or zeros up to the end of a block, as on tapes.
        case between
        case padding
    }

    // zlib keeps a pointer back to the stream, so its address must not change.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private var state = State.member

    /// Windows of 32 KiB; 16 more stand for the header of gzip, and no other.
    private static let windowBits = Int32(MAX_WBITS) + 16
    /// The first byte of a member.
    private static let firstByte: UInt8 = 0x1F

    init() throws(StreamDecodingError) {
        stream.initialize(to: z_stream())
        guard inflateInit2_(stream, Self.windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw .outOfMemory
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    var isComplete: Bool { state != .member }

    func decode(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(StreamDecodingError) -> StreamProgress {
        if state != .member {
            let count = try skip(input)
            guard state == .member else { return StreamProgress(read: count, written: 0) }
        }
        // zlib counts in 32 bits, and only reads its input: its header lacks the const.
        let available = min(input.count, Int(Int32.max))
        let room = min(output.count, Int(Int32.max))
        stream.pointee.next_in = UnsafeMutablePointer(
            mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
        stream.pointee.avail_in = UInt32(available)
        stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = UInt32(room)
        let status = inflate(stream, Z_NO_FLUSH)
        let progress = StreamProgress(
            read: available - Int(stream.pointee.avail_in), written: room - Int(stream.pointee.avail_out))
        switch status {
        case Z_OK, Z_BUF_ERROR: break
        case Z_STREAM_END: state = .between
        case Z_MEM_ERROR: throw .outOfMemory
        default: throw .damaged(stream.pointee.msg.map { String(cString: $0) } ?? "gzip")
        }
        return progress
    }

    /// Goes to the next member, over zeros behind the last one.
    private func skip(_ input: UnsafeRawBufferPointer) throws(StreamDecodingError) -> Int {
        guard let first = input.first else { return 0 }
        if state == .between, first == Self.firstByte {
            guard inflateReset(stream) == Z_OK else { throw .damaged("gzip") }
            state = .member
            return 0
        }
        state = .padding
        guard input.allSatisfy({ $0 == 0 }) else { throw .trailingContent }
        return input.count
    }
}
