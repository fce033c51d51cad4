/// The encodings of text files that a byte order mark announces.
enum ByteOrderMark {
    /// Returns the text as UTF-8 without a byte order mark; ill-formed UTF-16 becomes U+FFFD, UTF-8 is returned
    /// unchecked.
    static func utf8(of bytes: [UInt8]) -> [UInt8] {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            return Array(bytes.dropFirst(3))
        }
        let isBigEndian = bytes.starts(with: [0xFE, 0xFF])
        guard isBigEndian || bytes.starts(with: [0xFF, 0xFE]) else { return bytes }
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        var position = 2
        while position + 1 < bytes.count {
            let (first, second) = (UInt16(bytes[position]), UInt16(bytes[position + 1]))
            units.append(isBigEndian ? first << 8 | second : second << 8 | first)
            position += 2
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }
}
