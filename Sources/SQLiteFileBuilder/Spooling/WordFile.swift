/// Words of 64 bits in a file without a name, in the order of the machine: what a sort or a join leaves on disk.
public final class WordFile {
    private let file: OutputFile
    /// How many words there are.
    @exclusivity(unchecked) public private(set) var count = 0

    /// Makes an empty file.
    /// - Parameter path: the file beside which this one is.
    /// - Throws: `BuildError` if the file cannot be made.
    public init(beside path: String) throws(BuildError) {
        file = try OutputFile(unnamedBeside: path)
    }

    /// Adds some of an array's words at the end.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func append(_ words: [UInt64], _ range: Range<Int>) throws(BuildError) {
        try file.write(words.span.extracting(range), at: Int64(count) * 8)
        count += range.count
    }

    /// Replaces the words of an array by some of the file.
    /// - Throws: `BuildError` if the file ends before the words, or cannot be read.
    public func read(_ range: Range<Int>, into words: inout [UInt64]) throws(BuildError) {
        if words.count != range.count { words = [UInt64](repeating: 0, count: range.count) }
        var span = words.mutableSpan
        guard try file.read(&span, at: Int64(range.lowerBound) * 8) == range.count * 8 else {
            throw BuildError(.file("ends too early", 0), path: file.path)
        }
    }
}
