import Glibc
import TextEncodings

/// Searches of JSON text, many bytes at a time.
enum JSONByteSearch {
    /// Returns the offset of the first line feed in a range; nil if there is none.
    @inline(__always)
    static func lineFeed(_ text: Span<UInt8>, from start: Int, to end: Int) -> Int? {
        text.extracting(start..<end).withUnsafeBytes { line in
            guard let base = line.baseAddress, let found = memchr(base, 0x0A, line.count) else { return nil }
            return start + base.distance(to: UnsafeRawPointer(found))
        }
    }

    /// Returns the offset of the first byte in a range that does not stand for itself in a string: a quote, a backslash
    /// or a control character; the range's end if there is none.
    @inline(__always)
    static func endOfPlainText(_ text: Span<UInt8>, from start: Int, to end: Int) -> Int {
        var index = start
        let raw = text.bytes
        while index &+ 8 <= end {
            let word = UInt64(littleEndian: raw.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
            let found =
                ByteWord.zeros(in: word ^ 0x22 &* ByteWord.each) | ByteWord.zeros(in: word ^ 0x5C &* ByteWord.each)
                | ByteWord.bytes(of: word, below: 0x20)
            if found != 0 { return index &+ found.trailingZeroBitCount &>> 3 }
            index &+= 8
        }
        while index < end {
            let byte = text[index]
            if byte == 0x22 || byte == 0x5C || byte < 0x20 { return index }
            index &+= 1
        }
        return end
    }
}
