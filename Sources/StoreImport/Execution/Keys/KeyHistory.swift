/// The keys that an import has seen, by their hashes: while no key comes twice, a new store is filled without any
/// index.
///
/// What the filter has not seen is new. What it thinks to have seen is looked for among the hashes themselves, of which
/// the latest are in memory and the others in a temporary file, so that a wrong answer costs a few reads and no index.
final class KeyHistory {
    /// Filters in bytes, powers of two that are at least 64.
    struct Limits: Sendable {
        /// Hashes that are kept before they go to the file: half a mebibyte.
        var runLength = 1 << 16
        /// The first bits of a hash, which say in which part of a run it is; at least one.
        var bucketBits = 12
        var smallestFilter = 64 << 10
        /// The filter grows to this, so that one of a hundred thousand keys takes hardly less memory than one of two
        /// million.
        var middleFilter = 4 << 20
        /// 16 MiB hold eight million keys; beyond that every key counts as known.
        var largestFilter = 16 << 20

        func with(largestFilter: Int) -> Limits {
            var limits = self
            limits.largestFilter = largestFilter
            return limits
        }

        /// What each of several histories can have of so many bytes: at least the middle filter, for two million keys.
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
    /// Of no meaning: it keeps the lines of the filter from being looked at for nothing.
    @exclusivity(unchecked) private(set) var touched: UInt64 = 0
    /// Whether all keys are known: not after the file could not be written, or beyond the largest filter.
    @exclusivity(unchecked) private var isComplete = true

    init(_ limits: Limits = Limits()) {
        self.limits = limits
        filter = KeyFilter(byteCount: limits.smallestFilter)
    }

    /// Adds keys by their hashes; whether one of them has to be taken for one that was there before.
    func insert(_ hashes: [UInt64]) -> Bool {
        touched &+= filter.touch(hashes.span)
        var isKnown = false
        for hash in hashes where insert(hash) { isKnown = true }
        return isKnown
    }

    /// Adds a key by its hash; whether it has to be taken for one that was there before.
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

    /// Puts all keys into a larger filter; false if there is none.
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
