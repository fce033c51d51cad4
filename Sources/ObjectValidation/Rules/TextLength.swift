/// The length of a text as Core Data counts it.
enum TextLength {
    /// UTF-16 units of UTF-8: continuation bytes begin no unit; four-byte sequences make two.
    static func units(_ text: some Sequence<UInt8>) -> Int64 {
        text.reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : $1 >= 0xF0 ? 2 : 1) }
    }
}
