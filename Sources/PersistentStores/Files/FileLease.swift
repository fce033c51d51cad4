import Glibc

/// Proof that no process has a file open: a write lease of Linux (`fcntl`, `F_SETLEASE`).
///
/// The system grants it only if the file is not open elsewhere, for reading or writing. While it is held, a process
/// that opens the file waits until the lease ends, for at most the time in `/proc/sys/fs/lease-break-time`, 45 s by
/// default.
///
/// This also applies to the process that takes the lease: its own open connection to the file prevents it.
final class FileLease {
    enum Failure: Error {
        /// A process has the file open.
        case isOpen
        /// The file belongs to another user, or its file system has no leases.
        case unsupported
    }

    private let descriptor: Int32

    /// Constants of `<fcntl.h>`, which declares them for GNU programs only.
    private static let setSignal: Int32 = 10
    private static let setLease: Int32 = 1024
    private static let getLease: Int32 = 1025

    /// Opens the file that is to be leased; call it before SQLite opens the file, since closing the descriptor drops
    /// the locks that the process holds on it.
    init?(of path: String) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0 { return nil }
        // By default the system reports a waiting process by a signal that would end this process; SIGURG is ignored by
        // default.
        _ = fcntl(descriptor, Self.setSignal, SIGURG)
    }

    /// Ends the lease; it must be released after SQLite has closed the file.
    deinit {
        close(descriptor)
    }

    func take() throws(Failure) {
        guard fcntl(descriptor, Self.setLease, F_WRLCK) != 0 else { return }
        throw errno == EAGAIN ? .isOpen : .unsupported
    }

    /// How often this process has the file open, not counting this lease.
    var openCountHere: Int {
        var own = stat()
        guard fstat(descriptor, &own) == 0, let names = try? FileSystem.names(in: "/proc/self/fd") else { return 0 }
        return names.compactMap { Int32($0) }.count { number in
            var other = stat()
            return number != descriptor && fstat(number, &other) == 0 && other.st_ino == own.st_ino
                && other.st_dev == own.st_dev
        }
    }

    /// Whether no process has begun to open the file since the lease was taken.
    var isWhole: Bool { fcntl(descriptor, Self.getLease) == F_WRLCK }
}
