/// What gives its memory back when it is asked to.
protocol SpillingSorter: AnyObject {
    /// Entries that are in memory, in bytes.
    var bytesInMemory: Int { get }

    /// Writes what is in memory to disk as a sorted run, and gives the memory back.
    func spill() throws(BuildError)
}

/// What the sorters of a file may have in memory together; the one that has most writes its part to disk.
final class SortMemory {
    let limits: BuildLimits
    @exclusivity(unchecked) private var used = 0
    private var sorters: [any SpillingSorter] = []
    @exclusivity(unchecked) private var integers = IntegerSorting()

    init(_ limits: BuildLimits) {
        self.limits = limits
    }

    func register(_ sorter: any SpillingSorter) {
        sorters.append(sorter)
    }

    /// Forgets the sorters, which know of this one.
    func removeAll() {
        sorters = []
        integers = IntegerSorting()
    }

    @inline(__always)
    func take(_ bytes: Int) throws(BuildError) {
        used += bytes
        if used > limits.sortMemory { try makeRoom() }
    }

    @inline(never)
    private func makeRoom() throws(BuildError) {
        var largest: (any SpillingSorter)?
        for sorter in sorters where sorter.bytesInMemory > largest?.bytesInMemory ?? 0 { largest = sorter }
        try largest?.spill()
    }

    func giveBack(_ bytes: Int) {
        used -= bytes
    }

    /// Sorts a list by its keys, with memory that all share.
    func sort(_ entries: inout [IntegerEntry]) {
        integers.sort(&entries)
    }
}
