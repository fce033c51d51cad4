/// The set of the file's pages that have been reached, with one bit for each page.
struct PageSet {
    private var words: [UInt64]

    /// - Parameter count: the number of pages in the file; page numbers begin at 1.
    init(count: UInt32) {
        words = [UInt64](repeating: 0, count: Int(count) / 64 + 1)
    }

    /// Adds a page; returns whether it was not in the set before.
    mutating func insert(_ page: UInt32) -> Bool {
        let (word, bit) = (Int(page / 64), UInt64(1) << UInt64(page % 64))
        guard words[word] & bit == 0 else { return false }
        words[word] |= bit
        return true
    }

    /// Returns the number of pages that are in both sets.
    func commonCount(_ other: PageSet) -> Int {
        zip(words, other.words).reduce(0) { $0 + ($1.0 & $1.1).nonzeroBitCount }
    }

    /// Adds the pages of another set of the same file.
    mutating func formUnion(_ other: PageSet) {
        for index in words.indices { words[index] |= other.words[index] }
    }

    func contains(_ page: UInt32) -> Bool {
        words[Int(page / 64)] & (UInt64(1) << UInt64(page % 64)) != 0
    }
}
