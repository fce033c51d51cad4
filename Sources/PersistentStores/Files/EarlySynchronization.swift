internal import Dispatch
import Glibc
internal import Synchronization
internal import Threading

/// Writes a file's bytes to the device on another thread, or on the caller's own if the system cannot start one.
final class EarlySynchronization: Sendable {
    private let isDone = DispatchSemaphore(value: 0)
    private let failure = Mutex<Int32?>(nil)
    private let descriptor: Int32
    private let isWaitedFor = Mutex(false)

    /// - Parameter descriptor: stays open until `wait()` has returned.
    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        do throws(ThreadError) {
            try WorkerThread.start { [self] in synchronize() }
        } catch {
            synchronize()
        }
    }

    private func synchronize() {
        if fdatasync(descriptor) != 0 { failure.withLock { $0 = errno } }
        isDone.signal()
    }

    /// Waits until the synchronization has ended.
    ///
    /// - Returns: the system's error number if the bytes did not reach the device; nil if they did.
    func wait() -> Int32? {
        isWaitedFor.withLock { isWaitedFor in
            if !isWaitedFor { isDone.wait() }
            isWaitedFor = true
        }
        return failure.withLock { $0 }
    }
}
