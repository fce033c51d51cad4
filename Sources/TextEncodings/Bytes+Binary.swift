/// Binary values as text at the end of a buffer.
extension [UInt8] {
    public mutating func append(base64 bytes: Span<UInt8>) {
        let alphabet: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        alphabet.withUTF8Buffer { letters in
            var index = 0
            while index < bytes.count {
                let left = bytes.count - index
                let word =
                    UInt32(bytes[index]) << 16 | (left > 1 ? UInt32(bytes[index + 1]) << 8 : 0)
                    | (left > 2 ? UInt32(bytes[index + 2]) : 0)
                append(letters[Int(word >> 18)])
                append(letters[Int(word >> 12 & 63)])
                append(left > 1 ? letters[Int(word >> 6 & 63)] : UInt8(ascii: "="))
                append(left > 2 ? letters[Int(word & 63)] : UInt8(ascii: "="))
                index += 3
            }
        }
    }

    /// Two digits a byte, in upper case.
    public mutating func append(hexadecimal bytes: Span<UInt8>) {
        for index in bytes.indices { append(hexadecimal: bytes[index]) }
    }

    /// Two digits, in upper case.
    public mutating func append(hexadecimal byte: UInt8) {
        append(Hexadecimal.upperCaseDigit(byte >> 4))
        append(Hexadecimal.upperCaseDigit(byte & 15))
    }

    /// Sixteen bytes as `123E4567-E89B-12D3-A456-426614174000`.
    public mutating func append(uuid bytes: Span<UInt8>) {
        for index in bytes.indices {
            if index == 4 || index == 6 || index == 8 || index == 10 { append(UInt8(ascii: "-")) }
            append(hexadecimal: bytes[index])
        }
    }
}
