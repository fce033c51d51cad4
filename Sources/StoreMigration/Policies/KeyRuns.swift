/// Ascending keys, as the runs of those that follow each other.
struct KeyRuns {
    private var runs: [ClosedRange<Int64>] = []
    private let limit: Int
    /// Whether all keys are here.
    private(set) var isWhole = true

    /// - Parameter limit: how many runs there may be.
    init(limit: Int) {
        self.limit = limit
    }

    /// Adds a key above all others.
    mutating func append(_ key: Int64) {
        if let last = runs.indices.last, runs[last].upperBound == key - 1 {
            runs[last] = runs[last].lowerBound...key
        } else if runs.count < limit {
            runs.append(key...key)
        } else {
            isWhole = false
        }
    }

    /// The first key that is not below one; nil if there is none.
    ///
    /// - Parameter run: where the last one was found: 0 at the beginning.
    func key(from key: Int64, _ run: inout Int) -> Int64? {
        while run < runs.count {
            if key <= runs[run].upperBound { return max(key, runs[run].lowerBound) }
            run += 1
        }
        return nil
    }
}
