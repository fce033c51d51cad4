internal import Dispatch
import Glibc
internal import Synchronization

/// Brings a file's bytes to the device on another thread.
final class EarlySynchronization: Sendable {
    private let work = DispatchGroup()
    private let failure = Mutex<Int32?>(nil)

    /// - Parameter descriptor: stays open until `wait()` has returned.
    init(_ descriptor: Int32) {
        DispatchQueue.global().async(group: work) { [self] in
            if fdatasync(descriptor) != 0 { failure.withLock { $0 = errno } }
        }
    }

    /// Waits for its end.
    ///
    /// - Returns: the system's error number where bytes are not on the device.
    func wait() -> Int32? {
        work.wait()
        return failure.withLock { $0 }
    }
}
