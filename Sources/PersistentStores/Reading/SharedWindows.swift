import SQLiteAccess
import Synchronization

/// The windows that several readers share.
package final class SharedWindows: Sendable {
    private let windows: Mutex<KeyWindows>

    package init(_ windows: KeyWindows) {
        self.windows = Mutex(windows)
    }

    /// Returns the next window; nil after the last one.
    func claim() -> ClosedRange<Int64>? { windows.withLock { $0.claim() } }

    /// Adapts the width to the number of rows that a window had; if keys are sparse, searches for the next key.
    ///
    /// - Parameter next: returns the lowest key above its parameter, or NULL.
    func finish(_ window: ClosedRange<Int64>, rows: Int64, next: Statement) throws(SQLiteError) {
        guard windows.withLock({ $0.note(rows) }) else { return }
        next.reset()
        try next.bindInteger(window.upperBound, at: 1)
        let key = try next.step() && !next.isNull(0) ? next.integer(0) : nil
        windows.withLock { $0.skip(to: key) }
    }
}
