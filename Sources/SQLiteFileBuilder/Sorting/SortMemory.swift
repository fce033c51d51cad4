/// A sorter that can release its memory on request.
protocol SpillingSorter: AnyObject {
    /// The bytes of the entries in memory.
    var bytesInMemory: Int { get }

    /// Writes the entries in memory to disk as a sorted run, and releases the memory.
    func spill() throws(BuildError)
}

/// The memory that the sorters of a file share. If it is exhausted, the sorter that takes the most writes its entries
/// to disk.
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

    /// Removes the sorters, which have references to this object.
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

    /// Sorts a list by its keys, with scratch memory that all sorters share.
    func sort(_ entries: inout [IntegerEntry]) {
        integers.sort(&entries)
    }
}
