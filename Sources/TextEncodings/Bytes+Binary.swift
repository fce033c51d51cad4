/// Appending binary values as text.
extension [UInt8] {
    /// Appends bytes as base 64, with padding and without line ends.
    public mutating func append(base64 bytes: Span<UInt8>) {
        let whole = bytes.count / 3 * 3
        Base64.alphabet.withUTF8Buffer { letters in
            append(addingCapacity: (bytes.count + 2) / 3 * 4) { text in
                for index in stride(from: 0, to: whole, by: 3) {
                    let group = UInt32(bytes[index]) << 16 | UInt32(bytes[index + 1]) << 8 | UInt32(bytes[index + 2])
                    text.append(letters[Int(group >> 18)])
                    text.append(letters[Int(group >> 12 & 63)])
                    text.append(letters[Int(group >> 6 & 63)])
                    text.append(letters[Int(group & 63)])
                }
                guard whole < bytes.count else { return }
                let second = whole + 1 < bytes.count ? bytes[whole + 1] : nil
                let group = UInt32(bytes[whole]) << 16 | UInt32(second ?? 0) << 8
                text.append(letters[Int(group >> 18)])
                text.append(letters[Int(group >> 12 & 63)])
                text.append(second == nil ? UInt8(ascii: "=") : letters[Int(group >> 6 & 63)])
                text.append(UInt8(ascii: "="))
            }
        }
    }

    /// Appends bytes as pairs of uppercase hexadecimal digits.
    public mutating func append(hexadecimal bytes: Span<UInt8>) {
        append(addingCapacity: bytes.count * 2) { text in
            for index in bytes.indices { text.append(hexadecimal: bytes[index]) }
        }
    }

    /// Appends a byte as two uppercase hexadecimal digits.
    public mutating func append(hexadecimal byte: UInt8) {
        append(Hexadecimal.upperCaseDigit(byte >> 4))
        append(Hexadecimal.upperCaseDigit(byte & 15))
    }

    /// Appends sixteen bytes as a UUID, such as `123E4567-E89B-12D3-A456-426614174000`.
    public mutating func append(uuid bytes: Span<UInt8>) {
        guard bytes.count == 16 else {
            // What a store has in the place of a UUID.
            for index in bytes.indices {
                if index == 4 || index == 6 || index == 8 || index == 10 { append(UInt8(ascii: "-")) }
                append(hexadecimal: bytes[index])
            }
            return
        }
        append(atMost: 36) { text in
            let text = UnsafeMutableRawPointer(text)
            func digits(_ place: Int) -> UInt64 {
                Hexadecimal.upperCaseDigits(bytes.bytes.unsafeLoadUnaligned(fromByteOffset: place, as: UInt32.self))
            }
            func store(_ half: UInt64, at place: Int) {
                text.storeBytes(of: UInt32(truncatingIfNeeded: half), toByteOffset: place, as: UInt32.self)
            }
            let (second, third) = (digits(4), digits(8))
            text.storeBytes(of: digits(0), toByteOffset: 0, as: UInt64.self)
            store(second, at: 9)
            store(second >> 32, at: 14)
            store(third, at: 19)
            store(third >> 32, at: 24)
            text.storeBytes(of: digits(12), toByteOffset: 28, as: UInt64.self)
            for place in stride(from: 8, through: 23, by: 5) {
                text.storeBytes(of: UInt8(ascii: "-"), toByteOffset: place, as: UInt8.self)
            }
            return 36
        }
    }
}

extension OutputSpan<UInt8> {
    /// Appends a byte as two uppercase hexadecimal digits.
    fileprivate mutating func append(hexadecimal byte: UInt8) {
        append(Hexadecimal.upperCaseDigit(byte >> 4))
        append(Hexadecimal.upperCaseDigit(byte & 15))
    }
}
