/// What the sorters of a file may have in memory together; the one that has most writes its part to disk.
final class SortMemory {
    private let limit: Int
    @exclusivity(unchecked) private var used = 0
    private var sorters: [EntrySorter] = []

    /// - Parameter limit: bytes.
    init(limit: Int) {
        self.limit = limit
    }

    func register(_ sorter: EntrySorter) {
        sorters.append(sorter)
    }

    /// Forgets the sorters, which know of this one.
    func removeAll() {
        sorters = []
    }

    func take(_ bytes: Int) throws(BuildError) {
        used += bytes
        guard used > limit else { return }
        var largest: EntrySorter?
        for sorter in sorters where sorter.bytesInMemory > largest?.bytesInMemory ?? 0 { largest = sorter }
        try largest?.spill()
    }

    func giveBack(_ bytes: Int) {
        used -= bytes
    }
}
