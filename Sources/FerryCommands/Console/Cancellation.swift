import FoundationEssentials
import Glibc
import SQLiteAccess
import Synchronization

/// Ctrl-C and SIGTERM request the end of the work, which stops between batches and leaves the store unchanged.
enum Cancellation {
    private static let requested = Atomic(false)

    /// Installs handlers for the signals, which then request cancellation. A second Ctrl-C ends the process at once.
    static func watchSignals() {
        // The signal handler must not initialize the flag, so it is initialized here.
        requested.store(false, ordering: .relaxed)
        LockWait.onCancellation { isRequested }
        // A program that starts this one from a thread of a dispatch queue may pass on that both signals are blocked.
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
