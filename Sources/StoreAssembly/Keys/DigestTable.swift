import SQLiteFileBuilder

/// A hash table on disk with a number for each digest, which is 0 at first.
final class DigestTable {
    /// The entries, with four numbers each: the next entry of the bucket, the two halves of the digest, and the number
    /// of the digest.
    let entries: NumberFile
    /// The first entry of each bucket.
    private let buckets: NumberFile
    private let mask: UInt64
    @exclusivity(unchecked) private var last: Int64 = 0

    /// - Parameters:
    ///   - count: the number of digests that are expected. More digests only make look-ups slower.
    ///   - path: the path of the file beside which the table is created.
    ///   - pages: the number of pages that are kept in memory.
    /// - Throws: `BuildError` if a file cannot be created.
    init(count: Int, beside path: String, pages: Int) throws(BuildError) {
        var size: UInt64 = 16
        while size < UInt64(count) { size *= 2 }
        mask = size - 1
        buckets = try NumberFile(beside: path, pages: pages)
        entries = try NumberFile(beside: path, pages: pages)
    }

    /// Returns the place of a digest's number in `entries`, and adds an entry if there is none.
    func place(of digest: KeyDigest) throws(BuildError) -> Int64 {
        let (high, low) = digest.integers
        let bucket = Int64(digest.low & mask)
        let first = try buckets.number(at: bucket)
        var entry = first
        while entry != 0 {
            if try entries.number(at: 4 * entry + 1) == high, try entries.number(at: 4 * entry + 2) == low {
                return 4 * entry + 3
            }
            entry = try entries.number(at: 4 * entry)
        }
        last += 1
        try entries.set(first, at: 4 * last)
        try entries.set(high, at: 4 * last + 1)
        try entries.set(low, at: 4 * last + 2)
        try buckets.set(last, at: bucket)
        return 4 * last + 3
    }
}
