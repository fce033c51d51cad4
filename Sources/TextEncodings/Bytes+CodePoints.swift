extension [UInt8] {
    /// Appends a code point as UTF-8; a lone surrogate, which is not text, as three bytes in the same scheme.
    ///
    /// - Parameter codePoint: At most 0x1FFFFF.
    @inlinable
    public mutating func append(codePoint: UInt32) {
        switch codePoint {
        case ..<0x80: append(UInt8(truncatingIfNeeded: codePoint))
        case ..<0x800:
            append(UInt8(truncatingIfNeeded: 0xC0 | codePoint >> 6))
            append(UInt8(truncatingIfNeeded: 0x80 | codePoint & 0x3F))
        case ..<0x10000:
            append(UInt8(truncatingIfNeeded: 0xE0 | codePoint >> 12))
            append(UInt8(truncatingIfNeeded: 0x80 | codePoint >> 6 & 0x3F))
            append(UInt8(truncatingIfNeeded: 0x80 | codePoint & 0x3F))
        default:
            append(UInt8(truncatingIfNeeded: 0xF0 | codePoint >> 18 & 7))
            append(UInt8(truncatingIfNeeded: 0x80 | codePoint >> 12 & 0x3F))
            append(UInt8(truncatingIfNeeded: 0x80 | codePoint >> 6 & 0x3F))
            append(UInt8(truncatingIfNeeded: 0x80 | codePoint & 0x3F))
        }
    }
}
