/// The length of a text as Core Data counts it.
enum TextLength {
    /// Returns the number of UTF-16 units in UTF-8 bytes: continuation bytes begin no unit, and four-byte sequences
    /// have two.
    static func units(_ text: some Sequence<UInt8>) -> Int64 {
        text.reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : $1 >= 0xF0 ? 2 : 1) }
    }
}
