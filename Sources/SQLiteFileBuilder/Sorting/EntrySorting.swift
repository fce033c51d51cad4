/// Sorts entries in memory by eight bytes of their keys at a time, beginning after the common prefix of all keys.
///
/// Entries with equal keys keep the order in which they were added, which is the order of their row IDs.
struct EntrySorting: ~Copyable {
    private let normalizer: KeyNormalizer
    private var first = ByteBuffer(capacity: 256)
    private var key = ByteBuffer(capacity: 256)
    private var scratch: [SortEntry] = []

    init(_ normalizer: KeyNormalizer) {
        self.normalizer = normalizer
    }

    mutating func sort(_ entries: inout [SortEntry], in arena: borrowing ByteBuffer) {
        var open = [0..<entries.count]
        while let range = open.popLast() {
            guard range.count > 1, setWindows(&entries, range, arena) else { continue }
            radixSort(&entries, range)
            // Entries with equal windows and longer keys are sorted by the bytes that follow.
            var start = range.lowerBound
            while start < range.upperBound {
                var end = start + 1
                while end < range.upperBound, entries[end].window == entries[start].window { end += 1 }
                if end - start > 1, entries[start].goesOn { open.append(start..<end) }
                start = end
            }
        }
    }

    /// Moves the windows to the first bytes after the common prefix of the keys in the range; returns false if all keys
    /// are equal.
    private mutating func setWindows(
        _ entries: inout [SortEntry], _ range: Range<Int>, _ arena: borrowing ByteBuffer
    ) -> Bool {
        let firstCount = normalizer.write(arena, entries[range.lowerBound].range, to: &first).count
        var common = firstCount
        for index in range.dropFirst() {
            let count = normalizer.write(arena, entries[index].range, to: &key).count
            common = Self.common(first, key, min(common, count))
        }
        // No key is a prefix of another one: if the first key ends here, all keys are equal.
        guard common < firstCount else { return false }
        for index in range {
            let count = normalizer.write(arena, entries[index].range, to: &key).count
            entries[index].window = Self.window(key, common, count)
            entries[index].goesOn = count > common + 8
        }
        return true
    }

    private static func common(_ one: borrowing ByteBuffer, _ other: borrowing ByteBuffer, _ limit: Int) -> Int {
        var index = 0
        while index + 8 <= limit, one.load(UInt64.self, at: index) == other.load(UInt64.self, at: index) { index += 8 }
        while index < limit, one[index] == other[index] { index += 1 }
        return index
    }

    static func window(_ key: borrowing ByteBuffer, _ start: Int, _ count: Int) -> UInt64 {
        if start + 8 <= count { return key.load(at: start) }
        var window: UInt64 = 0
        for index in start..<start + 8 { window = window << 8 | (index < count ? UInt64(key[index]) : 0) }
        return window
    }

    /// Sorts by one byte at a time, the last byte first. Each pass keeps the order of the one before, and a pass is
    /// skipped if all bytes are equal.
    private mutating func radixSort(_ entries: inout [SortEntry], _ range: Range<Int>) {
        if isSorted(entries, range) { return }
        if range.count < 64 {
            insertionSort(&entries, range)
            return
        }
        if scratch.count < range.count { scratch = [SortEntry](repeating: SortEntry(), count: range.count) }
        var counts = [Int](repeating: 0, count: 8 * 256)
        for index in range {
            var window = entries[index].window
            for digit in 0..<8 {
                counts[digit << 8 | Int(window & 0xff)] += 1
                window >>= 8
            }
        }
        for digit in 0..<8 {
            let place = UInt64(digit * 8)
            let byte = Int(entries[range.lowerBound].window >> place & 0xff)
            if counts[digit << 8 | byte] == range.count { continue }
            var sum = 0
            for value in digit << 8..<(digit + 1) << 8 { (counts[value], sum) = (sum, sum + counts[value]) }
            for index in range {
                let slot = digit << 8 | Int(entries[index].window >> place & 0xff)
                scratch[counts[slot]] = entries[index]
                counts[slot] += 1
            }
            for index in range { entries[index] = scratch[index - range.lowerBound] }
        }
    }

    private func isSorted(_ entries: [SortEntry], _ range: Range<Int>) -> Bool {
        for index in range.dropFirst() where entries[index].window < entries[index - 1].window { return false }
        return true
    }

    private func insertionSort(_ entries: inout [SortEntry], _ range: Range<Int>) {
        for index in range.dropFirst() {
            let entry = entries[index]
            var place = index
            while place > range.lowerBound, entries[place - 1].window > entry.window {
                entries[place] = entries[place - 1]
                place -= 1
            }
            entries[place] = entry
        }
    }
}
