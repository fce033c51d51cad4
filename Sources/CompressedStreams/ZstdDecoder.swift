import CZstd

/// Decodes Zstandard (RFC 8878): consecutive frames, including skippable ones.
///
/// A frame may require a window of at most 128 MiB, the default limit of the tool `zstd`.
final class ZstdDecoder: StreamDecoder {
    private let context: OpaquePointer
    /// Whether the input ends at the end of a frame.
    private var isAtFrameEnd = false

    init() throws(StreamDecodingError) {
        guard let context = ZSTD_createDCtx() else { throw .outOfMemory }
        self.context = context
    }

    deinit {
        ZSTD_freeDCtx(context)
    }

    var isComplete: Bool { isAtFrameEnd }

    func decode(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(StreamDecodingError) -> StreamProgress {
        if isAtFrameEnd, input.isEmpty { return StreamProgress(read: 0, written: 0) }
        var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
        var target = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
        let result = ZSTD_decompressStream(context, &target, &source)
        guard ZSTD_isError(result) == 0 else {
            let reason = ZSTD_getErrorName(result).map { String(cString: $0) } ?? "zstd"
            throw isAtFrameEnd ? .trailingContent : .damaged(reason)
        }
        // 0 means that a frame has been decoded and written completely.
        if source.pos > 0 || target.pos > 0 { isAtFrameEnd = result == 0 }
        return StreamProgress(read: source.pos, written: target.pos)
    }
}
