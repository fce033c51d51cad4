import TextEncodings

/// The texts of a database as records store them.
extension DatabaseFile.TextEncoding {
    /// The name of the encoding in `PRAGMA encoding`.
    public var name: String {
        switch self {
        case .utf8: "UTF-8"
        case .utf16LittleEndian: "UTF-16le"
        case .utf16BigEndian: "UTF-16be"
        }
    }

    /// Reads the encoding of a connection's databases, which is the same for all of them.
    /// - Throws: `SQLiteError` if the encoding cannot be read.
    public init(of connection: Connection) throws(SQLiteError) {
        let name = try connection.value("PRAGMA encoding").string
        self = [.utf16LittleEndian, .utf16BigEndian].first { $0.name == name } ?? .utf8
    }

    /// Returns the bytes with which a record stores a text.
    ///
    /// - Parameter text: a text in UTF-8; invalid bytes are converted to the characters to which SQLite converts them.
    public func stored(_ text: Span<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        guard self != .utf8 else {
            result.append(copying: text)
            return result
        }
        result.reserveCapacity(2 * text.count)
        var index = 0
        while index < text.count {
            var scalar = UInt32(text[index])
            index += 1
            if scalar >= 0xc0 {
                // The first byte says nothing about the length of the sequence.
                switch scalar {
                case ..<0xe0: scalar &= 0x1f
                case ..<0xf0: scalar &= 0x0f
                case ..<0xf8: scalar &= 7
                case ..<0xfc: scalar &= 3
                default: scalar = scalar == 0xfd ? 1 : 0
                }
                while index < text.count, text[index] & 0xc0 == 0x80 {
                    scalar = scalar &<< 6 &+ UInt32(text[index] & 0x3f)
                    index += 1
                }
                if scalar < 0x80 || scalar & 0xffff_f800 == 0xd800 || scalar & 0xffff_fffe == 0xfffe {
                    scalar = 0xfffd
                }
            }
            if scalar > 0xffff {
                let high = scalar &- 0x10000
                append(unit: 0xd800 | high >> 10 & 0x3ff, to: &result)
                scalar = 0xdc00 | scalar & 0x3ff
            }
            append(unit: scalar, to: &result)
        }
        return result
    }

    private func append(unit: UInt32, to bytes: inout [UInt8]) {
        let (low, high) = (UInt8(truncatingIfNeeded: unit), UInt8(truncatingIfNeeded: unit >> 8))
        bytes.append(self == .utf16BigEndian ? high : low)
        bytes.append(self == .utf16BigEndian ? low : high)
    }

    /// Returns a text in UTF-8, as SQLite returns it.
    ///
    /// - Parameter stored: the bytes with which a record stores the text. In UTF-16, the last of an odd number of bytes
    ///   is ignored.
    public func utf8(_ stored: Span<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        guard self != .utf8 else {
            result.append(copying: stored)
            return result
        }
        result.reserveCapacity(stored.count)
        let end = stored.count & ~1
        var index = 0
        while index < end {
            var scalar = unit(stored, at: index)
            index += 2
            // Whatever follows the first half of a pair is taken for its second half.
            if (0xd800..<0xe000).contains(scalar), index < end {
                scalar = (scalar & 0x3f) << 10 + (scalar & 0x3c0 + 0x40) << 10 + unit(stored, at: index) & 0x3ff
                index += 2
            }
            switch scalar {
            case ..<0x80: result.append(UInt8(scalar))
            case ..<0x800: result.append(UInt8(0xc0 | scalar >> 6))
            case ..<0x10000: result.append(UInt8(0xe0 | scalar >> 12))
            default: result.append(UInt8(0xf0 | scalar >> 18 & 7))
            }
            if scalar >= 0x10000 { result.append(UInt8(0x80 | scalar >> 12 & 0x3f)) }
            if scalar >= 0x800 { result.append(UInt8(0x80 | scalar >> 6 & 0x3f)) }
            if scalar >= 0x80 { result.append(UInt8(0x80 | scalar & 0x3f)) }
        }
        return result
    }

    private func unit(_ bytes: Span<UInt8>, at index: Int) -> UInt32 {
        let (first, second) = (UInt32(bytes[index]), UInt32(bytes[index + 1]))
        return self == .utf16BigEndian ? first << 8 | second : second << 8 | first
    }
}
