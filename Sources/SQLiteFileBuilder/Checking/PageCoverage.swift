/// Which bytes of a page are taken by cells and free blocks. They must not overlap, and the bytes between them are
/// counted.
struct PageCoverage {
    /// The adjacent bytes that were added last. If the page was filled in order, this is all of its content.
    private var run = 0..<0
    /// One bit for each byte that earlier runs take; empty if there are none.
    private var words: [UInt64] = []
    private var hasRunsBefore = false
    private var usable = 0
    /// The number of bytes that earlier runs take, provided that nothing overlaps.
    private var taken = 0
    private var overlaps = false

    /// Begins a new page with a number of usable bytes.
    mutating func begin(usable: Int) {
        self.usable = usable
        run = usable..<usable
        hasRunsBefore = false
        taken = 0
        overlaps = false
    }

    /// Adds a range that lies within the usable bytes.
    @inline(__always)
    mutating func add(_ start: Int, _ end: Int) {
        if end == run.lowerBound {
            run = start..<run.upperBound
        } else if start == run.upperBound {
            run = run.lowerBound..<end
        } else {
            markRun()
            run = start..<end
        }
    }

    @inline(never)
    private mutating func markRun() {
        let run = run
        guard !run.isEmpty else { return }
        if !hasRunsBefore {
            hasRunsBefore = true
            let count = usable / UInt64.bitWidth + 1
            if words.count != count { words = [UInt64](repeating: 0, count: count) }
            var words = words.mutableSpan
            for index in words.indices { words[index] = 0 }
        }
        taken += run.count
        var common: UInt64 = 0
        var words = words.mutableSpan
        var place = run.lowerBound
        while place < run.upperBound {
            let (word, bit) = (place / UInt64.bitWidth, place % UInt64.bitWidth)
            let count = min(UInt64.bitWidth - bit, run.upperBound - place)
            let bits = (UInt64.max >> UInt64(UInt64.bitWidth - count)) << UInt64(bit)
            common |= words[word] & bits
            words[word] |= bits
            place += count
        }
        if common != 0 { overlaps = true }
    }

    /// Returns the number of bytes that are not taken, from the start of the content to the end of the usable bytes;
    /// nil if two ranges overlap. Nothing lies before the start of the content.
    mutating func fragments(from start: Int) -> Int? {
        if hasRunsBefore {
            markRun()
            run = usable..<usable
        } else {
            taken = run.count
        }
        return overlaps || start > usable ? nil : usable - start - taken
    }
}
