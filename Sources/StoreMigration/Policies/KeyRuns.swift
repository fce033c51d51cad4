/// Ascending keys, as runs of consecutive keys.
struct KeyRuns {
    private var runs: [ClosedRange<Int64>] = []
    private let limit: Int
    /// Whether all keys were stored.
    private(set) var isWhole = true

    /// - Parameter limit: the maximum number of runs.
    init(limit: Int) {
        self.limit = limit
    }

    /// Adds a key, which must be higher than all others.
    mutating func append(_ key: Int64) {
        if let last = runs.indices.last, runs[last].upperBound == key - 1 {
            runs[last] = runs[last].lowerBound...key
        } else if runs.count < limit {
            runs.append(key...key)
        } else {
            isWhole = false
        }
    }

    /// Returns the lowest key that is not lower than another; nil if there is none.
    ///
    /// - Parameters:
    ///   - key: the other key.
    ///   - run: the index of the run in which the last key was found; 0 at the beginning.
    func key(from key: Int64, _ run: inout Int) -> Int64? {
        while run < runs.count {
            if key <= runs[run].upperBound { return max(key, runs[run].lowerBound) }
            run += 1
        }
        return nil
    }
}
