public import SQLiteFileBuilder

/// Blocks of keys of all tables, in an unnamed file. The blocks that were read last stay in memory.
public final class KeyBlocks {
    /// The number of keys in a block.
    let size: Int
    private let file: WordFile
    /// By slot, the position of its block in the file, and the keys of the block; -1 and no keys if no block was read.
    @exclusivity(unchecked) private var slots: [(start: Int, keys: [UInt64])]

    /// Creates a file without blocks.
    ///
    /// - Parameters:
    ///   - path: the path of the file beside which this one is created.
    ///   - limits: the size of a block, and the number of blocks that stay in memory.
    /// - Throws: `BuildError` if the file cannot be created.
    public init(beside path: String, _ limits: BuildLimits) throws(BuildError) {
        size = max(1, limits.rankedKeys)
        file = try WordFile(beside: path)
        slots = Array(repeating: (-1, []), count: max(1, limits.rankBlocks))
    }

    /// Writes a block.
    ///
    /// - Returns: its position in the file.
    func append(_ keys: [UInt64]) throws(BuildError) -> Int {
        let start = file.count
        try file.append(keys, keys.indices)
        return start
    }

    /// Returns a key of a block in the file.
    func key(_ place: Int, inBlockAt start: Int) throws(BuildError) -> Int64 {
        let slot = start / size % slots.count
        if slots[slot].start != start {
            slots[slot].start = -1
            try file.read(start..<start + size, into: &slots[slot].keys)
            slots[slot].start = start
        }
        return Int64(bitPattern: slots[slot].keys[place])
    }
}

/// The keys of a table's rows in ascending order, and their ranks. The rank of the first key is 1.
///
/// The keys are in blocks on disk. The first key of each block, and the keys of the last block, are in memory. A block
/// whose keys have no gaps is not read.
struct KeyRanks {
    private let blocks: KeyBlocks
    /// The first key of each block, and the position of each block in the file. The last block is not in the file.
    private var firsts: [Int64] = []
    private var starts: [Int] = []
    private var pending: [UInt64] = []
    private var last: Int64 = 0
    /// The block of the last key that was looked up. The next key is probably in the same block.
    private var current = 0

    init(_ blocks: KeyBlocks) {
        self.blocks = blocks
    }

    /// The number of keys.
    var count: Int64 { Int64(starts.count * blocks.size + pending.count) }

    /// Adds a key that is higher than all others.
    @inline(__always)
    mutating func append(_ key: Int64) throws(BuildError) {
        if pending.count == blocks.size {
            starts.append(try blocks.append(pending))
            pending.removeAll(keepingCapacity: true)
        }
        if pending.isEmpty { firsts.append(key) }
        pending.append(UInt64(bitPattern: key))
        last = key
    }

    /// Returns the key of a rank from 1 to `count`.
    func key(at rank: Int64) throws(BuildError) -> Int64 {
        let (block, place) = Int(rank - 1).quotientAndRemainder(dividingBy: blocks.size)
        return try key(place, ofBlock: block)
    }

    private func key(_ place: Int, ofBlock block: Int) throws(BuildError) -> Int64 {
        block < starts.count
            ? try blocks.key(place, inBlockAt: starts[block]) : Int64(bitPattern: pending[place])
    }

    /// Returns the rank of a key; nil if no row has the key.
    mutating func rank(of key: Int64) throws(BuildError) -> Int64? {
        guard let lowest = firsts.first, key >= lowest, key <= last else { return nil }
        if key < firsts[current] || current < starts.count && key >= firsts[current + 1] { current = block(of: key) }
        let isLast = current == starts.count
        let (count, end) = isLast ? (pending.count, last + 1) : (blocks.size, firsts[current + 1])
        let (first, before) = (firsts[current], Int64(current * blocks.size))
        if end - first == Int64(count) { return before + key - first + 1 }
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            let found = try self.key(middle, ofBlock: current)
            if found == key { return before + Int64(middle) + 1 }
            if found < key { low = middle + 1 } else { high = middle }
        }
        return nil
    }

    /// Returns the rank of a key, which is the new key of its row; a negative number, which no row has, if no row has
    /// the key.
    mutating func newKey(of old: Int64) throws(BuildError) -> Int64 {
        guard old > 0 else { return min(old, -1) }
        return try rank(of: old) ?? -old
    }

    /// Returns the key whose rank is a new key; nil if there is no such key.
    func oldKey(of new: Int64) throws(BuildError) -> Int64? {
        guard new > 0, new <= count else { return nil }
        return try key(at: new)
    }

    /// Returns the last block whose first key is not higher than a key.
    private func block(of key: Int64) -> Int {
        var (low, high) = (0, firsts.count)
        while low + 1 < high {
            let middle = (low + high) / 2
            if firsts[middle] <= key { low = middle } else { high = middle }
        }
        return low
    }
}
