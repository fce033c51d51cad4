public import SQLiteFileBuilder

/// A numbering of the objects of a store with new keys, which are known before the objects are written: in each table
/// they begin at 1 and have no gaps, in the order of the objects' existing keys.
///
/// The existing keys may be added in any order. They are sorted on disk.
public final class KeyNumbering {
    private let path: String
    /// The keys that were added, by table; nil after they are numbered.
    private var found: [PairSorter]?
    private var ranks: [KeyRanks]

    /// Creates a numbering without keys.
    ///
    /// - Parameters:
    ///   - count: the number of tables.
    ///   - blocks: stores the sorted keys. The numberings of several stores may share it.
    ///   - limits: the memory for sorting keys.
    ///   - path: the path of the file beside which temporary files are created.
    public init(tables count: Int, _ blocks: KeyBlocks, _ limits: BuildLimits, beside path: String) {
        self.path = path
        let memory = SpoolMemory(limit: limits.sortMemory, beside: path)
        found = (0..<count).map { _ in PairSorter(memory) }
        ranks = (0..<count).map { _ in KeyRanks(blocks) }
    }

    /// Adds the existing key of an object.
    /// - Throws: `BuildError` if keys must be written to the disk, and it is full or fails.
    public func add(_ key: Int64, toTable table: Int) throws(BuildError) {
        try found?[table].add(key, 0)
    }

    /// Numbers the keys, after all of them have been added.
    ///
    /// - Throws: `BuildError` if the disk is full or fails.
    /// - Returns: a key that two objects of a table have: the lowest such key of the first such table; nil if there is
    ///   no such key.
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

    /// Returns the new key of an object; a negative number, which no object has, if no object of the table has the old
    /// key.
    /// - Throws: `BuildError` if a file cannot be read.
    public func newKey(of old: Int64, inTable table: Int) throws(BuildError) -> Int64 {
        try ranks[table].newKey(of: old)
    }

    /// Returns the existing key of an object; nil if no object of the table gets the new key.
    /// - Throws: `BuildError` if a file cannot be read.
    public func oldKey(of new: Int64, inTable table: Int) throws(BuildError) -> Int64? {
        try ranks[table].oldKey(of: new)
    }
}
