import SQLiteAccess

/// What the records of a batch changed, as far as it may have to be taken back later.
struct BatchLog {
    var changes: [(record: Int64, change: StoreChange)] = []
    /// What columns of objects had before the records changed them.
    var values: [(record: Int64, object: (key: Int64, root: Int), column: String, value: SQLiteValue)] = []
    /// Objects whose relationships the records changed, beside those that they made.
    var affected: [(record: Int64, object: AffectedObject)] = []
    /// What the records add to the counts of links.
    var counts: [(record: Int64, count: RecordCount)] = []
    /// Records that are known to be open.
    var open = Set<Int64>()

    mutating func removeAll() {
        changes.removeAll(keepingCapacity: true)
        values.removeAll(keepingCapacity: true)
        affected.removeAll(keepingCapacity: true)
        counts.removeAll(keepingCapacity: true)
        open.removeAll(keepingCapacity: true)
    }
}
