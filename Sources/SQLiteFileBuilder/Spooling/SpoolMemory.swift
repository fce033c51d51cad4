/// The memory that is shared by sorters outside of indexes, and the place of their files.
public final class SpoolMemory {
    let sorting: SortMemory
    let path: String

    /// Creates memory that sorters can share.
    /// - Parameters:
    ///   - limit: the number of bytes that all sorters may use together.
    ///   - path: the path of the file beside which the sorters' files are created.
    public convenience init(limit: Int, beside path: String) {
        var limits = BuildLimits()
        limits.sortMemory = limit
        self.init(limits, beside: path)
    }

    init(_ limits: BuildLimits, beside path: String) {
        sorting = SortMemory(limits)
        self.path = path
    }

    deinit {
        sorting.removeAll()
    }
}
