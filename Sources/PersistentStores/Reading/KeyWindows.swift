/// Windows of primary keys, one behind the other; their width follows how dense the keys are.
package struct KeyWindows: Sendable {
    /// The last key.
    package let last: Int64
    private var next: Int64?
    private var width: Int64
    private let rows: Int64

    private let widest: Int64

    /// - Parameters:
    ///   - rows: how many rows a window should have.
    ///   - keysPerRow: how many keys it spans at the most for each of them.
    package init(from first: Int64, to last: Int64, rows: Int, keysPerRow: Int64) {
        self.last = last
        next = first <= last ? first : nil
        // A limit may be any number; more rows than these are never in one window.
        self.rows = Int64(max(1, min(rows, 1 << 40)))
        width = self.rows
        widest = self.rows * max(1, keysPerRow)
    }

    /// The next window; nil behind the last one.
    package mutating func claim() -> ClosedRange<Int64>? {
        guard let lower = next else { return nil }
        let (sum, overflow) = lower.addingReportingOverflow(width - 1)
        let upper = overflow ? last : min(sum, last)
        next = upper < last ? upper + 1 : nil
        return lower...upper
    }

    /// Takes into account how many rows a window had.
    ///
    /// - Returns: whether the keys are so sparse there that it is worth asking where they go on.
    package mutating func note(_ count: Int64) -> Bool {
        if count < (rows + 1) / 2 {
            // Behind a sparse stretch may come a dense one, whose rows must not all be one batch.
            width = min(width * 2, widest)
            return true
        }
        if count > rows { width = max(1, width / 2) }
        return false
    }

    /// Goes on at a key, unless it is behind it already; there are no more windows where there is no key.
    package mutating func skip(to key: Int64?) {
        guard let key else {
            next = nil
            return
        }
        if let next, next < key { self.next = key }
    }
}
