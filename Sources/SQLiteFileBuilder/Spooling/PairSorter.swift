/// Sorts pairs of numbers by the first in bounded memory; equal ones stay in the order in which they are added.
public final class PairSorter {
    private let sorter: IntegerSorter
    private let memory: SpoolMemory
    /// How many pairs were added since the sorter was empty.
    @exclusivity(unchecked) public private(set) var count = 0

    /// Makes a sorter without pairs.
    public init(_ memory: SpoolMemory) {
        self.memory = memory
        sorter = IntegerSorter(memory: memory.sorting, beside: memory.path)
    }

    /// Adds a pair.
    /// - Parameters:
    ///   - first: not negative.
    ///   - second: any number.
    /// - Throws: `BuildError` if pairs have to go to the disk, and it is full or fails.
    @inline(__always)
    public func add(_ first: Int64, _ second: Int64) throws(BuildError) {
        try sorter.add(UInt64(bitPattern: first), row: second)
        count += 1
    }

    /// Forgets all pairs.
    public func removeAll() {
        sorter.removeAll()
        count = 0
    }

    /// The pairs in their order, each of which is read once; the sorter is empty then.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func merged() throws(BuildError) -> SortedPairs {
        count = 0
        return SortedPairs(try sorter.sorted())
    }

    /// The pairs in their order, on disk; the sorter is empty then.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func sorted() throws(BuildError) -> PairFile {
        let file = try PairFile(memory.path)
        try sorter.drain { (first, second) throws(BuildError) in try file.append(Int64(bitPattern: first), second) }
        try file.finish()
        count = 0
        return file
    }
}
