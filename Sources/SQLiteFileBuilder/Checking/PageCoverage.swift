/// Which bytes of a page its cells and free blocks take: they must not overlap, and what is between them is counted.
struct PageCoverage {
    /// What was added last, as far as it lies side by side: all of a page that was filled once.
    private var run = 0..<0
    /// A bit for each byte that is taken by the runs before, once there are any.
    private var words: [UInt64] = []
    private var hasRunsBefore = false
    private var usable = 0
    /// The bytes of the runs before, if nothing overlaps.
    private var taken = 0
    private var overlaps = false

    /// Forgets all; the page has so many usable bytes.
    mutating func begin(usable: Int) {
        self.usable = usable
        run = usable..<usable
        hasRunsBefore = false
        taken = 0
        overlaps = false
    }

    /// Adds bytes within the usable ones.
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

    /// The bytes that nothing takes from the start of the content, where nothing lies before it, to the end of the usable
    /// bytes; nil if two things overlap.
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
