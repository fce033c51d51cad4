/// Rows in memory that objects may not use yet: a new fault finds its row here.
struct KnownRows {
    private struct Entry {
        weak var block: SnapshotBlock?
        let row: Int32
    }

    private var entries: [ObjectKey: Entry] = [:]
    private let limit: Int
    private var nextSweep: Int

    /// - Parameter limit: the number of entries at which entries of released rows are removed.
    init(limit: Int) {
        self.limit = max(1, limit)
        nextSweep = self.limit
    }

    var isEmpty: Bool { entries.isEmpty }

    mutating func note(_ key: ObjectKey, _ block: SnapshotBlock, _ row: Int32) {
        entries[key] = Entry(block: block, row: row)
        guard entries.count > nextSweep else { return }
        entries = entries.filter { $0.value.block != nil }
        nextSweep = max(limit, 2 * entries.count)
    }

    /// Returns the row of an object, and removes it: after later changes, it would be outdated.
    mutating func take(_ key: ObjectKey) -> (block: SnapshotBlock, row: Int32)? {
        guard !entries.isEmpty, let entry = entries.removeValue(forKey: key), let block = entry.block else {
            return nil
        }
        return (block, entry.row)
    }

    mutating func forget(_ key: ObjectKey) { entries[key] = nil }

    mutating func removeAll() { entries = [:] }
}
