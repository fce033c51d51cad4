import CZlib

/// A DEFLATE stream that zlib decodes in pieces.
final class Inflation {
    enum State {
        case goesOn
        /// The stream ends after the data that was read.
        case ended
    }

    // zlib keeps a pointer back to the stream, so its address must not change.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private let isReady: Bool

    /// - Parameter windowBits: zlib's parameter, which also determines the header format.
    init(windowBits: Int32) throws(StreamDecodingError) {
        stream.initialize(to: z_stream())
        isReady = inflateInit2_(stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
        if !isReady { throw .outOfMemory }
    }

    deinit {
        if isReady { inflateEnd(stream) }
        stream.deallocate()
    }

    /// Begins a new stream.
    func reset() throws(StreamDecodingError) {
        guard inflateReset(stream) == Z_OK else { throw .damaged("deflate") }
    }

    func decode(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(StreamDecodingError) -> (progress: StreamProgress, state: State) {
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
        case Z_OK, Z_BUF_ERROR: return (progress, .goesOn)
        case Z_STREAM_END: return (progress, .ended)
        case Z_MEM_ERROR: throw .outOfMemory
        default: throw .damaged(stream.pointee.msg.map { String(cString: $0) } ?? "deflate")
        }
    }
}
