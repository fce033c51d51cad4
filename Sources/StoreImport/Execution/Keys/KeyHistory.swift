/// The keys that an import has seen, by their hashes: while no key comes twice, a new store is filled without any
/// index.
///
/// What the filter has not seen is new. What it thinks to have seen is looked for among the hashes themselves, of which
/// the latest are in memory and the others in a temporary file, so that a wrong answer costs a few reads and no index.
final class KeyHistory {
    /// Hashes that are kept before they go to the file: half a mebibyte.
    private static let runLength = 1 << 16
    private static let smallestFilter = 64 << 10
    /// The filter grows to this, so that one of a hundred thousand keys takes hardly less memory than one of two
    /// million.
    private static let middleFilter = 4 << 20

    private let largestFilter: Int
    @exclusivity(unchecked) private var filter = KeyFilter(byteCount: KeyHistory.smallestFilter)
    @exclusivity(unchecked) private var recent: [UInt64] = []
    private var runs: HashRuns?
    @exclusivity(unchecked) private var count = 0
    /// Of no meaning: it keeps the lines of the filter from being looked at for nothing.
    @exclusivity(unchecked) private(set) var touched: UInt64 = 0
    /// Whether all keys are known: not after the file could not be written, or beyond the largest filter.
    @exclusivity(unchecked) private var isComplete = true

    /// - Parameter largestFilter: bytes, a power of two; 16 MiB hold eight million keys.
    init(largestFilter: Int = 16 << 20) {
        self.largestFilter = max(Self.smallestFilter, largestFilter)
    }

    /// What each of several can have of so many bytes: at least what two million keys need.
    static func share(of bytes: Int, among count: Int) -> Int {
        var share = bytes
        var shares = 1
        while shares < count, share > middleFilter {
            share /= 2
            shares *= 2
        }
        return share
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
        if recent.count >= Self.runLength { spill() }
        return false
    }

    private func spill() {
        if runs == nil { runs = HashRuns() }
        guard let runs, runs.append(recent) else {
            isComplete = false
            return
        }
        recent.removeAll(keepingCapacity: true)
    }

    /// Puts all keys into a larger filter; false where there is none.
    private func grow() -> Bool {
        let size = filter.byteCount < Self.middleFilter ? Self.middleFilter : largestFilter
        guard size > filter.byteCount, size <= largestFilter else {
            isComplete = false
            return false
        }
        filter = KeyFilter(byteCount: size)
        for hash in recent { _ = filter.insert(hash) }
        isComplete = runs?.forEach { _ = filter.insert($0) } ?? true
        return isComplete
    }
}
