public import SQLiteFileBuilder

/// New keys for the objects of a store, which are known before the objects are written: in each table they begin at 1 and
/// have no gaps, in the order of those that the objects have.
///
/// The keys of the store are added in any order, and are sorted on disk.
public final class KeyNumbering {
    private let path: String
    /// The keys that were added, by table; nil after they are numbered.
    private var found: [PairSorter]?
    private var ranks: [KeyRanks]

    /// Makes a numbering without keys.
    ///
    /// - Parameters:
    ///   - count: how many tables there are.
    ///   - blocks: keeps the sorted keys; those of several stores can have the same ones.
    ///   - limits: what is kept in memory while keys are sorted.
    ///   - path: the file beside which the keys wait.
    public init(tables count: Int, _ blocks: KeyBlocks, _ limits: BuildLimits, beside path: String) {
        self.path = path
        let memory = SpoolMemory(limit: limits.sortMemory, beside: path)
        found = (0..<count).map { _ in PairSorter(memory) }
        ranks = (0..<count).map { _ in KeyRanks(blocks) }
    }

    /// Adds the key of an object.
    /// - Throws: `BuildError` if keys have to go to the disk, and it is full or fails.
    public func add(_ key: Int64, toTable table: Int) throws(BuildError) {
        try found?[table].add(key, 0)
    }

    /// Numbers the keys, when all of them are added.
    ///
    /// - Throws: `BuildError` if the disk is full or fails.
    /// - Returns: a key that two objects of a table have: the lowest of the first such table; nil if there is none.
    @_optimize(size)
    public func number() throws(BuildError) -> (table: Int, key: Int64)? {
        for (table, sorter) in (found ?? []).enumerated() where sorter.count > 0 {
            let keys = try sorter.merged()
            var last: Int64?
            while let (key, _) = try keys.next() {
                if key == last { return (table, key) }
                try ranks[table].append(key)
                last = key
            }
        }
        found = nil
        return nil
    }

    /// The new key of an object; below 0, where no object is, for a key that no object of the table has.
    /// - Throws: `BuildError` if a file cannot be read.
    public func newKey(of old: Int64, inTable table: Int) throws(BuildError) -> Int64 {
        try ranks[table].newKey(of: old)
    }

    /// The key that an object has in its store; nil if no object of the table gets the new one.
    /// - Throws: `BuildError` if a file cannot be read.
    public func oldKey(of new: Int64, inTable table: Int) throws(BuildError) -> Int64? {
        try ranks[table].oldKey(of: new)
    }
}
