import TextEncodings

/// Formats values of a source for messages and logs: shortened to fit on a line, and without characters that would
/// break it.
package enum RejectedValue {
    /// The largest number of bytes of a value that are shown.
    static let largestCount = 200

    /// Returns the text with `\n` and `\xNN` for characters that cannot be shown, and `…` at the end if it was
    /// shortened.
    package static func shown(_ bytes: [UInt8]) -> String {
        var shown = ""
        var index = 0
        let end = min(bytes.count, largestCount)
        while index < end {
            let length = bytes[index...].withUnsafeBufferPointer { buffer in
                buffer.baseAddress.map { UTF8Validation.characterLength($0, available: bytes.count - index) } ?? 0
            }
            let byte = bytes[index]
            switch byte {
            case 0x0A: shown += "\\n"
            case 0x0D: shown += "\\r"
            case 0x09: shown += "\\t"
            case UInt8(ascii: "\\"): shown += "\\\\"
            case 0..<0x20, 0x7F: shown += hexadecimal(byte)
            default:
                if length == 0 {
                    shown += hexadecimal(byte)
                } else {
                    shown += String(decoding: bytes[index..<index + length], as: UTF8.self)
                }
            }
            index += max(1, length)
        }
        return index < bytes.count ? shown + "…" : shown
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        "\\x" + Hexadecimal.encode([byte])
    }
}
