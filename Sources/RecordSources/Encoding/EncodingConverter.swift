internal import Glibc

/// Converts text to UTF-8 with the C library's iconv.
///
/// Each byte that is not text in the encoding becomes a byte 0xFF, which never occurs in UTF-8. So a check of the
/// result finds it, and nothing is replaced silently.
final class EncodingConverter {
    let encoding: TextEncoding
    private let descriptor: iconv_t

    static let undecodable: UInt8 = 0xFF

    /// Returns nil if iconv does not know the encoding.
    init?(_ encoding: TextEncoding) {
        guard let descriptor = iconv_open("UTF-8", encoding.name), Int(bitPattern: descriptor) != -1 else { return nil }
        self.encoding = encoding
        self.descriptor = descriptor
    }

    deinit {
        iconv_close(descriptor)
    }

    /// The result of a call, in bytes.
    struct Progress {
        var read = 0
        var written = 0
    }

    /// Converts as much of `input[from..<to]` as fits into `output` from `start` up to `limit`.
    ///
    /// It stops before a character that does not fit, and before a character that the end of the input cuts off, unless
    /// the input is final.
    func convert(
        _ input: [UInt8], from: Int, to: Int, isFinal: Bool, into output: inout [UInt8], at start: Int, limit: Int
    ) -> Progress {
        var progress = Progress()
        let descriptor = descriptor
        let unit = encoding.unitBytes
        input.withUnsafeBytes { source in
            output.withUnsafeMutableBytes { target in
                guard let sourceBase = source.baseAddress, let targetBase = target.baseAddress else { return }
                while from + progress.read < to {
                    var readPointer: UnsafeMutablePointer<CChar>? = UnsafeMutableRawPointer(mutating: sourceBase)
                        .advanced(by: from + progress.read).assumingMemoryBound(to: CChar.self)
                    var readLeft = to - from - progress.read
                    var writePointer: UnsafeMutablePointer<CChar>? =
                        targetBase
                        .advanced(by: start + progress.written).assumingMemoryBound(to: CChar.self)
                    var writeLeft = limit - start - progress.written
                    let status = iconv(descriptor, &readPointer, &readLeft, &writePointer, &writeLeft)
                    let failure = status == -1 ? errno : 0
                    progress.read = to - from - readLeft
                    progress.written = limit - start - writeLeft
                    if failure == 0 || failure == E2BIG { return }
                    if failure == EINVAL && !isFinal { return }
                    guard writeLeft > 0 else { return }
                    // EILSEQ, or a character that the end of the source cuts off.
                    target[start + progress.written] = EncodingConverter.undecodable
                    progress.written += 1
                    progress.read += min(unit, readLeft)
                }
            }
        }
        return progress
    }
}
