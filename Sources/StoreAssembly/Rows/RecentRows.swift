/// The most recent rows of a table, by key. If a later row has the same content for an object, no row has to be added.
///
/// For example, if each record contains a department with all its values, there would be as many rows of departments as
/// records, which would have to be merged. A key that is not found here is merged like any other key.
public final class RecentRows {
    /// A row: its key, a digest of its content, and its arrival, which is 0 if the entry is empty.
    private struct Entry {
        var key = KeyDigest(high: 0, low: 0)
        var content = KeyDigest(high: 0, low: 0)
        var arrival: Int64 = 0
    }

    /// The entries of all buckets. In each bucket, the most recently used entry comes first.
    @exclusivity(unchecked) private var entries: [Entry]
    private let buckets: UInt64
    private let bucketSize: Int

    /// The maximum number of entries in a bucket. With several entries, two keys in the same bucket rarely replace each
    /// other.
    private static let mostInBucket = 8

    /// Creates an empty memory of rows.
    /// - Parameter count: the maximum number of rows that are kept.
    public init(count: Int) {
        bucketSize = min(max(1, count), Self.mostInBucket)
        buckets = UInt64(max(1, count / bucketSize))
        entries = [Entry](repeating: Entry(), count: Int(buckets) * bucketSize)
    }

    /// Returns the first position of a key's bucket, and the position of the key; nil if the key is not there.
    @inline(__always)
    private func place(_ key: KeyDigest) -> (first: Int, found: Int?) {
        let first = Int(key.low % buckets) * bucketSize
        for place in first..<first + bucketSize where entries[place].key == key && entries[place].arrival != 0 {
            return (first, place)
        }
        return (first, nil)
    }

    /// Returns the first row that was kept with a key, if the last row with that key had the same content; otherwise
    /// nil.
    ///
    /// - Parameters:
    ///   - key: the digest of the key.
    ///   - content: the digest of the row's content.
    public func arrival(of key: KeyDigest, saying content: KeyDigest) -> Int64? {
        let (first, found) = place(key)
        guard let found, entries[found].content == content else { return nil }
        let arrival = entries[found].arrival
        moveToFront(found, of: first)
        return arrival
    }

    /// Keeps a row. If the key is new, it replaces the least recently used row of its bucket.
    ///
    /// - Parameters:
    ///   - key: the digest of the key.
    ///   - content: the digest of the row's content.
    ///   - arrival: the arrival of the row. If the key is already there, the former arrival is kept.
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

    /// Forgets the rows with a key, because another row changed the object.
    public func forget(_ key: KeyDigest) {
        if let found = place(key).found { entries[found].arrival = 0 }
    }
}
