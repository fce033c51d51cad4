/// Which bytes of a page its cells and free blocks take: they must not overlap, and what is between them is counted.
struct PageCoverage {
    /// Start and end of each, in the upper and lower half of the word.
    private var extents: [UInt64] = []
    /// Whether each lies directly before the one that was added before it, as in pages that were filled once.
    private var isContiguous = true
    private var lowest = 0

    /// Forgets all; the page has so many usable bytes.
    mutating func begin(usable: Int) {
        extents.removeAll(keepingCapacity: true)
        isContiguous = true
        lowest = usable
    }

    @inline(__always)
    mutating func add(_ start: Int, _ end: Int) {
        if isContiguous {
            if end == lowest {
                lowest = start
            } else {
                isContiguous = false
            }
        }
        extents.append(UInt64(start) << 32 | UInt64(end))
    }

    /// The bytes between the extents, from the start of the content to its end; nil if two overlap.
    mutating func fragments(from start: Int, to end: Int) -> Int? {
        if isContiguous { return lowest >= start ? lowest - start : nil }
        extents.sort()
        var fragments = 0
        var previous = start
        for extent in extents {
            let (first, last) = (Int(extent >> 32), Int(extent & 0xffff_ffff))
            guard first >= previous else { return nil }
            fragments += first - previous
            previous = last
        }
        return fragments + end - previous
    }
}
