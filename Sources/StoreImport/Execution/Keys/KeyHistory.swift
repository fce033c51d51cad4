/// The keys that an import has seen, by their hashes. As long as no key is repeated, a new store is filled without any
/// index.
///
/// A key that the filter has not seen is new. If the filter reports a key, it is searched among the hashes themselves,
/// of which the latest are in memory and the others in a temporary file. So a wrong answer of the filter costs a few
/// reads, but no index.
final class KeyHistory {
    /// The limits. The sizes of filters are in bytes, powers of two and at least 64.
    struct Limits: Sendable {
        /// The number of hashes in memory before they are written to the file: half a mebibyte.
        var runLength = 1 << 16
        /// The number of first bits of a hash that select its bucket in a run; at least one.
        var bucketBits = 12
        var smallestFilter = 64 << 10
        /// The size to which the filter first grows: a filter for a hundred thousand keys takes little less memory than
        /// one for two million.
        var middleFilter = 4 << 20
        /// 16 MiB are sufficient for eight million keys; after that, every key counts as known.
        var largestFilter = 16 << 20

        func with(largestFilter: Int) -> Limits {
            var limits = self
            limits.largestFilter = largestFilter
            return limits
        }

        /// Returns limits with which several histories share a number of bytes; each has at least the middle filter,
        /// for two million keys.
        func sharing(_ bytes: Int, among count: Int) -> Limits {
            var share = bytes
            var shares = 1
            while shares < count, share > middleFilter {
                share /= 2
                shares *= 2
            }
            return with(largestFilter: share)
        }
    }

    private let limits: Limits
    @exclusivity(unchecked) private var filter: KeyFilter
    @exclusivity(unchecked) private var recent: [UInt64] = []
    private var runs: HashRuns?
    @exclusivity(unchecked) private var count = 0
    /// An unused result that keeps the compiler from removing the accesses to the lines of the filter.
    @exclusivity(unchecked) private(set) var touched: UInt64 = 0
    /// Whether all keys are known; false after the file could not be written, or if the largest filter is full.
    @exclusivity(unchecked) private var isComplete = true

    init(_ limits: Limits = Limits()) {
        self.limits = limits
        filter = KeyFilter(byteCount: limits.smallestFilter)
    }

    /// Adds keys by their hashes; returns whether one of them must be treated as repeated.
    func insert(_ hashes: [UInt64]) -> Bool {
        touched &+= filter.touch(hashes.span)
        var isKnown = false
        for hash in hashes where insert(hash) { isKnown = true }
        return isKnown
    }

    /// Adds a key by its hash; returns whether it must be treated as repeated.
    func insert(_ hash: UInt64) -> Bool {
        guard isComplete else { return true }
        if count >= filter.capacity, !grow() { return true }
        if filter.insert(hash), recent.contains(hash) || runs?.contains(hash) ?? false { return true }
        count += 1
        recent.append(hash)
        if recent.count >= limits.runLength { spill() }
        return false
    }

    private func spill() {
        if runs == nil { runs = HashRuns(bucketBits: limits.bucketBits) }
        guard let runs, runs.append(recent) else {
            isComplete = false
            return
        }
        recent.removeAll(keepingCapacity: true)
    }

    /// Moves all keys to a larger filter; returns false if there is no larger one.
    private func grow() -> Bool {
        let size = filter.byteCount < limits.middleFilter ? limits.middleFilter : limits.largestFilter
        guard size > filter.byteCount, size <= limits.largestFilter else {
            isComplete = false
            return false
        }
        filter = KeyFilter(byteCount: size)
        for hash in recent { _ = filter.insert(hash) }
        isComplete = runs?.forEach { _ = filter.insert($0) } ?? true
        return isComplete
    }
}
