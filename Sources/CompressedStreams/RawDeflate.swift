import CZlib

/// DEFLATE data without a header (RFC 1951), in which stores keep their archived model.
public enum RawDeflate {
    /// Windows of 32 KiB; the negative sign means that there is no header.
    private static let windowBits = -Int32(MAX_WBITS)
    private static let chunkSize = 64 << 10

    /// Decompresses all data; output beyond the limit, in bytes, is an error, as are damaged data and data after the
    /// end.
    /// - Throws: `DeflateError` if the data are damaged, end too early, are followed by other bytes, or decompress to
    ///   more than the limit; or if zlib cannot allocate memory.
    public static func inflate(_ bytes: [UInt8], limit: Int) throws(DeflateError) -> [UInt8] {
        // zlib keeps a pointer back to the stream, so its address must not change between the calls.
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        defer { stream.deallocate() }
        guard inflateInit2_(stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw DeflateError(.outOfMemory)
        }
        defer { inflateEnd(stream) }
        return try run(stream, input: bytes, limit: limit) { CZlib.inflate($0, Z_NO_FLUSH) }.get()
    }

    /// Compresses bytes; the result is always the same with the same version of zlib. The levels are zlib's, 1 to 9.
    /// - Throws: `DeflateError` if zlib cannot allocate memory.
    public static func deflate(_ bytes: [UInt8], level: Int = 6) throws(DeflateError) -> [UInt8] {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        defer { stream.deallocate() }
        guard
            deflateInit2_(
                stream, Int32(min(max(level, 1), 9)), Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
                Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { throw DeflateError(.outOfMemory) }
        defer { deflateEnd(stream) }
        return try run(stream, input: bytes, limit: .max) { CZlib.deflate($0, Z_FINISH) }.get()
    }

    private static func run(
        _ stream: UnsafeMutablePointer<z_stream>, input: [UInt8], limit: Int,
        step: (UnsafeMutablePointer<z_stream>) -> Int32
    ) -> Result<[UInt8], DeflateError> {
        // zlib counts its input in 32 bits.
        guard input.count <= Int(UInt32.max) else { return .failure(DeflateError(.tooLarge)) }
        var output: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: chunkSize)
        return input.withUnsafeBufferPointer { source in
            // zlib only reads its input, but its header lacks the const.
            stream.pointee.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
            stream.pointee.avail_in = UInt32(source.count)
            while true {
                let (status, produced) = chunk.withUnsafeMutableBufferPointer { target in
                    stream.pointee.next_out = target.baseAddress
                    stream.pointee.avail_out = UInt32(target.count)
                    let status = step(stream)
                    return (status, target.count - Int(stream.pointee.avail_out))
                }
                guard output.count <= limit - produced else { return .failure(DeflateError(.tooLarge)) }
                output += chunk[..<produced]
                switch status {
                case Z_STREAM_END where stream.pointee.avail_in == 0: return .success(output)
                case Z_STREAM_END: return .failure(DeflateError(.trailingContent))
                case Z_OK where produced > 0: continue
                case Z_OK, Z_BUF_ERROR: return .failure(DeflateError(.truncated))
                case Z_MEM_ERROR: return .failure(DeflateError(.outOfMemory))
                default: return .failure(DeflateError(.damaged))
                }
            }
        }
    }
}
