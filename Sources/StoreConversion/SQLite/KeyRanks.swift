/// The keys of a store's objects as bits, and the place of each among those of its hierarchy.
///
/// The bits of 32 768 keys that follow each other are a page, which is there only if a key in it is. Keys that lie
/// together, as those of nearly all stores, take an eighth of a byte each and a thirtieth of that.
struct KeyRanks {
    private static let pageBits: Int64 = 15
    private static let wordsOfPage = 512
    /// Words whose bits are counted at each look-up, at the most.
    private static let wordsOfBlock = 8
    private static let blocksOfPage = wordsOfPage / wordsOfBlock

    /// What a page takes, in bytes: bits, the bits before each block, and those before the page.
    private static let pageSize = wordsOfPage * 8 + blocksOfPage * 2 + 8

    private let limit: Int
    private var size = 0
    /// By slot of the root entity, the page of each 32 768 keys; -1 where there is none.
    private var directories: [[Int32]]
    private var words: [UInt64] = []
    private var counts: [UInt16] = []
    private var bases: [Int64] = []

    /// The lowest key that was added twice, with the slot of its root.
    private(set) var shared: (root: Int, key: Int64)?

    /// - Parameters:
    ///   - roots: the number of slots.
    ///   - limit: the bytes that all of it may take.
    init(roots: Int, limit: Int) {
        self.limit = limit
        directories = Array(repeating: [], count: roots)
    }

    /// Adds a key, which is above 0; false if there is no room for it.
    mutating func add(_ key: Int64, root: Int) -> Bool {
        let place = key >> Self.pageBits
        let missing = place - Int64(directories[root].count) + 1
        if missing > 0 {
            guard missing <= Int64((limit - size) / MemoryLayout<Int32>.size) else { return false }
            size += Int(missing) * MemoryLayout<Int32>.size
            directories[root].append(contentsOf: repeatElement(-1, count: Int(missing)))
        }
        var page = Int(directories[root][Int(place)])
        if page < 0 {
            guard limit - size >= Self.pageSize else { return false }
            size += Self.pageSize
            page = words.count / Self.wordsOfPage
            directories[root][Int(place)] = Int32(page)
            words.append(contentsOf: repeatElement(0, count: Self.wordsOfPage))
        }
        let (word, bit) = Self.position(of: key, page)
        if words[word] & bit != 0 {
            if shared.map({ (root, key) < $0 }) ?? true { shared = (root, key) }
        }
        words[word] |= bit
        return true
    }

    private static func position(of key: Int64, _ page: Int) -> (word: Int, bit: UInt64) {
        (page * wordsOfPage + Int(key >> 6) % wordsOfPage, 1 << UInt64(key & 63))
    }

    /// Counts, when all keys are there.
    mutating func finish() {
        let pageCount = words.count / Self.wordsOfPage
        counts = Array(repeating: 0, count: pageCount * Self.blocksOfPage)
        bases = Array(repeating: 0, count: pageCount)
        for directory in directories {
            var before: Int64 = 0
            for page in directory where page >= 0 {
                let page = Int(page)
                bases[page] = before
                var count = 0
                for block in 0..<Self.blocksOfPage {
                    counts[page * Self.blocksOfPage + block] = UInt16(count)
                    for word in 0..<Self.wordsOfBlock {
                        count += words[page * Self.wordsOfPage + block * Self.wordsOfBlock + word].nonzeroBitCount
                    }
                }
                before += Int64(count)
            }
        }
    }

    /// The place of a key among those of its hierarchy, the lowest being 1; nil for a key that was not added.
    func rank(of key: Int64, root: Int) -> Int64? {
        let place = key >> Self.pageBits
        guard key > 0, place < Int64(directories[root].count) else { return nil }
        let page = Int(directories[root][Int(place)])
        guard page >= 0 else { return nil }
        let (word, bit) = Self.position(of: key, page)
        guard words[word] & bit != 0 else { return nil }
        let block = word / Self.wordsOfBlock
        var rank = bases[page] + Int64(counts[block]) + 1
        for before in block * Self.wordsOfBlock..<word { rank += Int64(words[before].nonzeroBitCount) }
        return rank + Int64((words[word] & (bit - 1)).nonzeroBitCount)
    }

    /// The key of a rank, found by going through all of them; nil if there are not so many.
    func key(ofRank rank: Int64, root: Int) -> Int64? {
        var found: Int64?
        forEach(root: root) { key in
            if found == nil, self.rank(of: key, root: root) == rank { found = key }
        }
        return found
    }

    /// Passes all keys of a hierarchy, the lowest first.
    func forEach<Failure>(root: Int, _ body: (Int64) throws(Failure) -> Void) throws(Failure) {
        for (place, page) in directories[root].enumerated() where page >= 0 {
            for index in 0..<Self.wordsOfPage {
                var bits = words[Int(page) * Self.wordsOfPage + index]
                while bits != 0 {
                    let lowest = Int64(bits.trailingZeroBitCount)
                    try body(Int64(place) << Self.pageBits + Int64(index) << 6 + lowest)
                    bits &= bits - 1
                }
            }
        }
    }
}
