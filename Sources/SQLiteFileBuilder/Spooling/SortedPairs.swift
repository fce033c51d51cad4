/// Pairs of numbers in order, which can be read once.
public final class SortedPairs {
    /// A pair of numbers.
    public typealias Pair = (first: Int64, second: Int64)

    private let entries: SortedIntegers

    init(_ entries: SortedIntegers) {
        self.entries = entries
    }

    /// Returns the next pair; nil after the last one.
    /// - Throws: `BuildError` if the disk fails.
    public func next() throws(BuildError) -> Pair? {
        guard let entry = try entries.next() else { return nil }
        return (Int64(bitPattern: entry.key), entry.row)
    }
}
