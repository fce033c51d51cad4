/// The rows of a table that came last, by key: what says the same of an object again need not become a row.
///
/// Records that each name their department with all its values would else make as many rows of departments as there are
/// records, only to be merged. A key that is not found here is merged as any other.
public final class RecentRows {
    /// A row: its key, a digest of what it says, and its arrival; 0 if there is none.
    private struct Entry {
        var key = KeyDigest(high: 0, low: 0)
        var content = KeyDigest(high: 0, low: 0)
        var arrival: Int64 = 0
    }

    /// Buckets one after the other; in each, what came last stands first.
    @exclusivity(unchecked) private var entries: [Entry]
    private let buckets: UInt64
    private let bucketSize: Int

    /// Few keys share a bucket, so that hardly any two of them drive each other out again and again.
    private static let mostInBucket = 8

    /// Makes a memory of rows that is empty.
    /// - Parameter count: the most rows that are kept.
    public init(count: Int) {
        bucketSize = min(max(1, count), Self.mostInBucket)
        buckets = UInt64(max(1, count / bucketSize))
        entries = [Entry](repeating: Entry(), count: Int(buckets) * bucketSize)
    }

    /// The place of a key, or else of the entry of its bucket that was used longest ago.
    @inline(__always)
    private func place(_ key: KeyDigest) -> (first: Int, found: Int?) {
        let first = Int(key.low % buckets) * bucketSize
        for place in first..<first + bucketSize where entries[place].key == key && entries[place].arrival != 0 {
            return (first, place)
        }
        return (first, nil)
    }

    /// The first row of those that were kept with a key, if the last one with that key says the same; else nil.
    public func arrival(of key: KeyDigest, saying content: KeyDigest) -> Int64? {
        let (first, found) = place(key)
        guard let found, entries[found].content == content else { return nil }
        let arrival = entries[found].arrival
        moveToFront(found, of: first)
        return arrival
    }

    /// Keeps a row, in place of the one of its bucket that was used longest ago.
    public func keep(_ key: KeyDigest, saying content: KeyDigest, arrival: Int64) {
        let (first, found) = place(key)
        let place = found ?? first + bucketSize - 1
        entries[place] = Entry(key: key, content: content, arrival: found.map { entries[$0].arrival } ?? arrival)
        moveToFront(place, of: first)
    }

    private func moveToFront(_ place: Int, of first: Int) {
        guard place > first else { return }
        let entry = entries[place]
        for other in (first..<place).reversed() { entries[other + 1] = entries[other] }
        entries[first] = entry
    }

    /// Forgets the rows with a key: another one changed the object.
    public func forget(_ key: KeyDigest) {
        if let found = place(key).found { entries[found].arrival = 0 }
    }
}
