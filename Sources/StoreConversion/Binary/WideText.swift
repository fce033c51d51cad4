/// Converts texts in UTF-8 to UTF-16, including unpaired surrogates.
enum WideText {
    /// Converts a text to UTF-16 units; returns false if some of its bytes were not valid and were replaced by U+FFFD.
    static func units(of bytes: Span<UInt8>, into units: inout [UInt16]) -> Bool {
        units.removeAll(keepingCapacity: true)
        var isText = true
        var index = 0
        while index < bytes.count {
            let lead = bytes[index]
            let (length, smallest): (Int, UInt32) =
                switch lead {
                case ..<0x80: (1, 0)
                case 0xC2...0xDF: (2, 0x80)
                case 0xE0...0xEF: (3, 0x800)
                case 0xF0...0xF4: (4, 0x10000)
                default: (0, 0)
                }
            var scalar = length == 1 ? UInt32(lead) : UInt32(lead) & (0x7F >> UInt32(length))
            var isWhole = length > 0 && index + length <= bytes.count
            if isWhole, length > 1 {
                for offset in 1..<length {
                    let byte = bytes[index + offset]
                    if byte & 0xC0 != 0x80 { isWhole = false }
                    scalar = scalar << 6 | UInt32(byte & 0x3F)
                }
            }
            guard isWhole, scalar >= smallest, scalar <= 0x10FFFF else {
                units.append(0xFFFD)
                isText = false
                index += 1
                continue
            }
            if scalar < 0x10000 {
                units.append(UInt16(scalar))
            } else {
                units.append(UInt16(0xD800 + (scalar - 0x10000) >> 10))
                units.append(UInt16(0xDC00 + (scalar - 0x10000) & 0x3FF))
            }
            index += length
        }
        return isText
    }
}
