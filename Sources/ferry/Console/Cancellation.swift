import FoundationEssentials
import Glibc
import SQLiteAccess
import Synchronization

/// Ctrl-C and SIGTERM ask for an end; the work stops between batches and leaves the store as it was.
enum Cancellation {
    private static let requested = Atomic(false)

    /// From here on the signals ask instead of killing. A second Ctrl-C ends the process at once.
    static func watchSignals() {
        // The handler may only touch what exists: the flag is made here.
        requested.store(false, ordering: .relaxed)
        LockWait.onCancellation { isRequested }
        // A program that starts this one from a queue's thread hands on that both are blocked there.
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGINT, SIGTERM] { sigaddset(&signals, number) }
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        for number in [SIGINT, SIGTERM] {
            signal(number) { received in
                Cancellation.requested.store(true, ordering: .relaxed)
                signal(received, SIG_DFL)
            }
        }
    }

    static var isRequested: Bool { requested.load(ordering: .relaxed) }
}
