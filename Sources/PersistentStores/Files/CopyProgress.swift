internal import Synchronization

/// How much of a file has been copied, for another thread than the one that copies it.
package final class CopyProgress: Sendable {
    private let bytes = Mutex<Int64>(0)

    package init() {}

    /// The number of bytes that have been copied, from the start without a gap.
    package internal(set) var copied: Int64 {
        get { bytes.withLock { $0 } }
        set { bytes.withLock { $0 = max($0, newValue) } }
    }
}
