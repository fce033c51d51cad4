/// The rows of a table that came last, by key: what says the same of an object again need not become a row.
///
/// Records that each name their department with all its values would else make as many rows of departments as there are
/// records, only to be merged. A key that is not found here is merged as any other.
public final class RecentRows {
    /// A row: its key, a digest of what it says, and its arrival; 0 where there is none.
    private struct Entry {
        var key = KeyDigest(high: 0, low: 0)
        var content = KeyDigest(high: 0, low: 0)
        var arrival: Int64 = 0
    }

    @exclusivity(unchecked) private var entries: [Entry]

    /// - Parameter count: the most rows that are kept.
    public init(count: Int) {
        entries = [Entry](repeating: Entry(), count: max(1, count))
    }

    private func place(_ key: KeyDigest) -> Int { Int(key.low % UInt64(entries.count)) }

    /// The first row of those that were kept with a key, if the last one with that key says the same; else nil.
    public func arrival(of key: KeyDigest, saying content: KeyDigest) -> Int64? {
        let entry = entries[place(key)]
        return entry.arrival != 0 && entry.key == key && entry.content == content ? entry.arrival : nil
    }

    /// Keeps a row, in place of another one.
    public func keep(_ key: KeyDigest, saying content: KeyDigest, arrival: Int64) {
        let place = place(key)
        let first = entries[place].arrival != 0 && entries[place].key == key ? entries[place].arrival : arrival
        entries[place] = Entry(key: key, content: content, arrival: first)
    }

    /// Forgets the rows with a key: another one changed the object.
    public func forget(_ key: KeyDigest) {
        let place = place(key)
        if entries[place].key == key { entries[place].arrival = 0 }
    }
}
