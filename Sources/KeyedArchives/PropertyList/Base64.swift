/// Base 64 as RFC 4648 defines it, with the standard alphabet.
public enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xFF, count: 256)
        for (value, byte) in alphabet.enumerated() {
            values[Int(byte)] = UInt8(value)
        }
        return values
    }()

    /// The bytes; spaces and line ends are passed over, missing padding is accepted, anything else is nil.
    public static func decode(_ text: some Sequence<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var group: UInt32 = 0
        var count = 0
        var isPadded = false
        for byte in text where byte > 0x20 {
            if byte == UInt8(ascii: "=") {
                isPadded = true
                continue
            }
            let value = values[Int(byte)]
            guard value != 0xFF, !isPadded else { return nil }
            group = group << 6 | UInt32(value)
            count += 1
            if count == 4 {
                bytes.append(UInt8(truncatingIfNeeded: group >> 16))
                bytes.append(UInt8(truncatingIfNeeded: group >> 8))
                bytes.append(UInt8(truncatingIfNeeded: group))
                group = 0
                count = 0
            }
        }
        switch count {
        case 0: break
        case 2: bytes.append(UInt8(truncatingIfNeeded: group >> 4))
        case 3:
            bytes.append(UInt8(truncatingIfNeeded: group >> 10))
            bytes.append(UInt8(truncatingIfNeeded: group >> 2))
        default: return nil
        }
        return bytes
    }

    /// The text, padded, without line ends.
    public static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        encode(bytes.span, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the text, padded, without line ends.
    public static func encode(_ bytes: Span<UInt8>, to text: inout [UInt8]) {
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let length = min(3, bytes.count - start)
            var group: UInt32 = 0
            for position in 0..<3 {
                group = group << 8 | (position < length ? UInt32(bytes[start + position]) : 0)
            }
            for position in 0..<4 {
                text.append(
                    position <= length ? alphabet[Int(group >> UInt32(18 - 6 * position) & 0x3F)] : UInt8(ascii: "="))
            }
        }
    }
}
