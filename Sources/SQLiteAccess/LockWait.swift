internal import CSQLite
internal import Glibc
internal import Synchronization

/// How connections wait for the locks of others; the process can cancel such waits and long statements.
public enum LockWait {
    /// A closure of its own type: a mutex whose value is a closure wraps it once more each time it is read.
    private struct Cancellation {
        let isRequested: @Sendable () -> Bool
    }

    private static let cancellation = Mutex<Cancellation?>(nil)

    /// Sets a closure that is called while a connection of the process waits, or runs a long statement. If it returns
    /// true, the wait ends as if its time were over, and the statement with "interrupted".
    public static func onCancellation(_ isCancelled: @escaping @Sendable () -> Bool) {
        cancellation.withLock { $0 = Cancellation(isRequested: isCancelled) }
    }

    /// The result of the closure of `onCancellation`; false if there is none.
    package static var isCancelled: Bool { cancellation.withLock { $0 }?.isRequested() ?? false }

    /// Makes the statements of a connection wait for locks; with 0 milliseconds, they do not wait.
    static func install(on handle: OpaquePointer, milliseconds: Int32) {
        guard milliseconds > 0 else {
            unsafe sqlite3_busy_timeout(handle, 0)
            return
        }
        // The time is stored as the pointer, so nothing has to be owned.
        let time = unsafe UnsafeMutableRawPointer(bitPattern: Int(milliseconds))
        unsafe sqlite3_busy_handler(
            handle, { time, round in LockWait.pause(Int(bitPattern: time), round: Int(round)) ? 1 : 0 }, time)
    }

    /// Sleeps for one pause; returns false if the time is over. The pauses are 1, 2, 4, 8, 16 and then 32 milliseconds
    /// long.
    ///
    /// - Parameters:
    ///   - milliseconds: the total time.
    ///   - round: the number of preceding pauses.
    static func pause(_ milliseconds: Int, round: Int) -> Bool {
        let waited = round < 5 ? (1 << round) - 1 : 31 + (round - 5) * 32
        let pause = min(1 << min(round, 5), milliseconds - waited)
        guard pause > 0, !isCancelled else { return false }
        usleep(UInt32(pause) * 1000)
        return true
    }
}
