/// Bytes as pairs of hexadecimal digits.
public enum Hexadecimal {
    /// Returns lowercase digits.
    public static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count * 2)
        for byte in bytes {
            text.append(lowerCaseDigit(byte >> 4))
            text.append(lowerCaseDigit(byte & 15))
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the bytes; nil if the text is not pairs of hexadecimal digits. Case is ignored.
    public static func decode(_ text: String) -> [UInt8]? {
        decode(text.utf8)
    }

    /// Returns the bytes; nil if the text is not pairs of hexadecimal digits. Case is ignored.
    @inlinable
    public static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 2)
        var upper: UInt8?
        for letter in text {
            guard let value = value(ofDigit: letter) else { return nil }
            if let high = upper {
                bytes.append(high << 4 | value)
                upper = nil
            } else {
                upper = value
            }
        }
        return upper == nil ? bytes : nil
    }

    /// Returns the value of a digit, 0 to 15; nil for any other letter. Case is ignored.
    @inlinable
    public static func value(ofDigit letter: UInt8) -> UInt8? {
        switch letter {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): letter - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): letter - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): letter - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// Returns the digit for half a byte.
    static func upperCaseDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }

    /// The eight digits of four bytes, both in the order of memory, where the lowest byte comes first.
    static func upperCaseDigits(_ bytes: UInt32) -> UInt64 {
        var lanes = UInt64(bytes)
        lanes = (lanes | lanes << 16) & 0x0000_FFFF_0000_FFFF
        lanes = (lanes | lanes << 8) & 0x00FF_00FF_00FF_00FF
        let halves = lanes >> 4 & 0x000F_000F_000F_000F | (lanes & 0x000F_000F_000F_000F) << 8
        // One in each byte that is a letter.
        let letters = (halves &+ 6 &* ByteWord.each) >> 4 & ByteWord.each
        return halves &+ UInt64(UInt8(ascii: "0")) &* ByteWord.each &+ letters &* 7
    }

    private static func lowerCaseDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
