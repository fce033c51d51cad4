/// Sorts pairs of numbers by their first numbers in bounded memory. Pairs with equal first numbers keep their order.
public final class PairSorter {
    private let sorter: IntegerSorter
    private let memory: SpoolMemory
    /// The number of pairs in the sorter.
    @exclusivity(unchecked) public private(set) var count = 0

    /// Creates an empty sorter.
    public init(_ memory: SpoolMemory) {
        self.memory = memory
        sorter = IntegerSorter(memory: memory.sorting, beside: memory.path)
    }

    /// Adds a pair.
    /// - Parameters:
    ///   - first: the sort key, which must not be negative.
    ///   - second: any number.
    /// - Throws: `BuildError` if pairs must be written to the disk, and it is full or fails.
    @inline(__always)
    public func add(_ first: Int64, _ second: Int64) throws(BuildError) {
        try sorter.add(UInt64(bitPattern: first), row: second)
        count += 1
    }

    /// Removes all pairs.
    public func removeAll() {
        sorter.removeAll()
        count = 0
    }

    /// Returns the pairs in order, to be read once, and empties the sorter.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func merged() throws(BuildError) -> SortedPairs {
        count = 0
        return SortedPairs(try sorter.sorted())
    }

    /// Returns the pairs in order, on disk, and empties the sorter.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func sorted() throws(BuildError) -> PairFile {
        let file = try PairFile(memory.path)
        try sorter.drain { (first, second) throws(BuildError) in try file.append(Int64(bitPattern: first), second) }
        try file.finish()
        count = 0
        return file
    }
}
