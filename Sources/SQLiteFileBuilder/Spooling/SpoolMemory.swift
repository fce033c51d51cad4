/// The memory that sorters share which belong to no index, and the place of their files.
public final class SpoolMemory {
    let sorting: SortMemory
    let path: String

    /// Makes a memory that sorters can share.
    /// - Parameters:
    ///   - limit: bytes that all sorters have together.
    ///   - path: the file beside which theirs are.
    public init(limit: Int, beside path: String) {
        var limits = BuildLimits()
        limits.sortMemory = limit
        sorting = SortMemory(limits)
        self.path = path
    }

    deinit {
        sorting.removeAll()
    }
}
