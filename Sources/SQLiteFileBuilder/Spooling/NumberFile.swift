/// An array of 64-bit numbers in an unnamed file; all numbers are initially 0.
///
/// The pages that were used last are kept in memory, so that access to nearby places is fast.
public final class NumberFile {
    private let file: OutputFile
    private let slots: Int
    /// The words of each slot's page; empty if the slot has none.
    @exclusivity(unchecked) private var words: [[UInt64]]
    /// For each slot, the number of its page; -1 for none.
    @exclusivity(unchecked) private var pages: [Int]
    /// For each slot, whether its page differs from the one in the file.
    @exclusivity(unchecked) private var isChanged: [Bool]

    private static let pageWords = 1 << 9

    /// Creates a file whose numbers are all 0.
    ///
    /// - Parameters:
    ///   - path: the path of the file beside which this one is created.
    ///   - pages: the number of pages of 4 KiB that are kept in memory; at least one.
    /// - Throws: `BuildError` if the file cannot be created.
    public init(beside path: String, pages: Int) throws(BuildError) {
        file = try OutputFile(unnamedBeside: path)
        slots = max(1, pages)
        words = [[UInt64]](repeating: [], count: slots)
        self.pages = [Int](repeating: -1, count: slots)
        isChanged = [Bool](repeating: false, count: slots)
    }

    /// Returns the number at a place.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func number(at place: Int64) throws(BuildError) -> Int64 {
        let (slot, word) = try load(place)
        return Int64(bitPattern: words[slot][word])
    }

    /// Sets the number at a place.
    /// - Throws: `BuildError` if the disk is full or fails.
    public func set(_ number: Int64, at place: Int64) throws(BuildError) {
        let (slot, word) = try load(place)
        words[slot][word] = UInt64(bitPattern: number)
        isChanged[slot] = true
    }

    /// Makes sure that the page of a place is in memory.
    private func load(_ place: Int64) throws(BuildError) -> (slot: Int, word: Int) {
        let (page, word) = Int(place).quotientAndRemainder(dividingBy: Self.pageWords)
        let slot = page % slots
        guard pages[slot] != page else { return (slot, word) }
        var buffer: [UInt64] = []
        swap(&buffer, &words[slot])
        if isChanged[slot] { try file.write(buffer.span, at: Self.offset(of: pages[slot])) }
        (pages[slot], isChanged[slot]) = (-1, false)
        // Numbers after the end of the file have never been set.
        buffer.removeAll(keepingCapacity: true)
        for _ in 0..<Self.pageWords { buffer.append(0) }
        var span = buffer.mutableSpan
        _ = try file.read(&span, at: Self.offset(of: page))
        words[slot] = buffer
        pages[slot] = page
        return (slot, word)
    }

    private static func offset(of page: Int) -> Int64 { Int64(page) * Int64(pageWords * 8) }
}
