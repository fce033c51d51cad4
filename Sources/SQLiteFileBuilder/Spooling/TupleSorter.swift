/// Sorts tuples of numbers by the first number, then the second, and so on, in bounded memory. Equal tuples keep their
/// order.
public final class TupleSorter {
    private let collector: TupleCollector
    /// The memory must last as long as the collector uses it.
    private let memory: SpoolMemory
    /// The number of tuples in the sorter.
    @exclusivity(unchecked) public private(set) var count = 0

    /// Creates an empty sorter.
    /// - Parameters:
    ///   - width: the number of numbers in each tuple, at least 1.
    ///   - memory: the memory that the sorter shares with others.
    public init(width: Int, _ memory: SpoolMemory) {
        self.memory = memory
        collector = TupleCollector(width: width, memory.sorting, beside: memory.path)
    }

    /// Adds a tuple with as many numbers as the sorter's width.
    /// - Throws: `BuildError` if tuples must be written to the disk, and it is full or fails.
    public func add(_ tuple: [Int64]) throws(BuildError) { try add(tuple.span) }

    /// Adds a tuple with as many numbers as the sorter's width, which an inline array can have without an allocation
    /// for each tuple.
    /// - Throws: `BuildError` if tuples must be written to the disk, and it is full or fails.
    public func add(_ tuple: Span<Int64>) throws(BuildError) {
        try collector.add(tuple)
        count += 1
    }

    /// Returns all tuples in order, and empties the sorter.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func sorted() throws(BuildError) -> TupleCursor {
        count = 0
        return try collector.sorted()
    }
}
