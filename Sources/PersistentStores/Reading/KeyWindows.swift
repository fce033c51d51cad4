/// Consecutive windows of primary keys, whose width adapts to the density of the keys.
package struct KeyWindows: Sendable {
    /// The last key.
    package let last: Int64
    private var next: Int64?
    private var width: Int64
    private let rows: Int64

    private let widest: Int64

    /// - Parameters:
    ///   - rows: the number of rows that a window should have.
    ///   - keysPerRow: the maximum number of keys that a window spans per row.
    package init(from first: Int64, to last: Int64, rows: Int, keysPerRow: Int64) {
        self.last = last
        next = first <= last ? first : nil
        // A limit may be any number; a window never has more rows than this.
        self.rows = Int64(max(1, min(rows, 1 << 40)))
        width = self.rows
        widest = self.rows * max(1, keysPerRow)
    }

    /// Returns the next window; nil after the last one.
    package mutating func claim() -> ClosedRange<Int64>? {
        guard let lower = next else { return nil }
        let (sum, overflow) = lower.addingReportingOverflow(width - 1)
        let upper = overflow ? last : min(sum, last)
        next = upper < last ? upper + 1 : nil
        return lower...upper
    }

    /// Adapts the width to the number of rows that a window had.
    ///
    /// - Returns: whether the keys are so sparse that it is worth searching for the next one.
    package mutating func note(_ count: Int64) -> Bool {
        if count < (rows + 1) / 2 {
            // A sparse range may be followed by a dense one, whose rows must not all be in one batch.
            width = min(width * 2, widest)
            return true
        }
        if count > rows { width = max(1, width / 2) }
        return false
    }

    /// Continues at a key, unless the windows are past it already; if the key is nil, there are no more windows.
    package mutating func skip(to key: Int64?) {
        guard let key else {
            next = nil
            return
        }
        if let next, next < key { self.next = key }
    }
}
