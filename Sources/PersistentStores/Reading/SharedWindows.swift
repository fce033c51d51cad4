import Synchronization

/// The windows that several readers claim.
package final class SharedWindows: Sendable {
    private let windows: Mutex<KeyWindows>

    package init(_ windows: KeyWindows) {
        self.windows = Mutex(windows)
    }

    /// The next window; nil behind the last one.
    package func claim() -> ClosedRange<Int64>? { windows.withLock { $0.claim() } }

    /// Takes into account how many rows a window had; see `KeyWindows.note`.
    package func note(_ count: Int64) -> Bool { windows.withLock { $0.note(count) } }

    /// Goes on at a key, unless it is behind it already.
    package func skip(to key: Int64?) { windows.withLock { $0.skip(to: key) } }
}
