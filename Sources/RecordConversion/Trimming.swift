/// Removes the white space around a text: ASCII white space, and no-break and ideographic spaces.
enum Trimming {
    @inline(__always)
    static func trimmed(_ arena: Span<UInt8>, _ start: Int, _ count: Int) -> (start: Int, count: Int) {
        guard count > 0 else { return (start, 0) }
        // Except for the two wide spaces, white space never has a byte above 0x20 at its ends. Nearly all texts return
        // here.
        let first = arena[start]
        let last = arena[start + count - 1]
        if first > 0x20 && first < 0xC2 && last > 0x20 && last < 0x80 { return (start, count) }
        return closely(arena, start, count)
    }

    private static func closely(_ arena: Span<UInt8>, _ start: Int, _ count: Int) -> (start: Int, count: Int) {
        var low = start
        var high = start + count
        while low < high {
            if isSpace(arena[low]) {
                low += 1
            } else if high - low >= 2, arena[low] == 0xC2, arena[low + 1] == 0xA0 {
                low += 2
            } else if high - low >= 3, arena[low] == 0xE3, arena[low + 1] == 0x80, arena[low + 2] == 0x80 {
                low += 3
            } else {
                break
            }
        }
        while high > low {
            if isSpace(arena[high - 1]) {
                high -= 1
            } else if high - low >= 2, arena[high - 2] == 0xC2, arena[high - 1] == 0xA0 {
                high -= 2
            } else if high - low >= 3, arena[high - 3] == 0xE3, arena[high - 2] == 0x80, arena[high - 1] == 0x80 {
                high -= 3
            } else {
                break
            }
        }
        return (low, high - low)
    }

    @inline(__always)
    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || 0x09...0x0D ~= byte
    }
}
