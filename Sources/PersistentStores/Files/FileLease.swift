import Glibc

/// Proof that no process has a file open: a write lease of Linux (`fcntl`, `F_SETLEASE`).
///
/// The system grants it only where the file is open nowhere else, whatever it is open for. From then on whoever opens
/// the file waits until the lease ends, for as long as `/proc/sys/fs/lease-break-time` says, 45 s by default.
///
/// The process that takes the lease counts, too: its own connection to the file keeps it from getting one.
final class FileLease {
    enum Failure: Error {
        /// A process has the file open.
        case isOpen
        /// The file belongs to another user, or its file system has no leases.
        case unsupported
    }

    private let descriptor: Int32

    /// Of `<fcntl.h>`, which declares them for GNU programs only.
    private static let setSignal: Int32 = 10
    private static let setLease: Int32 = 1024
    private static let getLease: Int32 = 1025

    /// Opens the file that is to be leased; to be called before SQLite opens it, since closing it drops the locks that
    /// the process has on the file.
    init?(of path: String) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0 { return nil }
        // By default the system reports a waiting process by a signal that ends this one; this signal does nothing.
        _ = fcntl(descriptor, Self.setSignal, SIGURG)
    }

    /// Ends the lease: to be called after SQLite has closed the file.
    deinit {
        close(descriptor)
    }

    func take() throws(Failure) {
        guard fcntl(descriptor, Self.setLease, F_WRLCK) != 0 else { return }
        throw errno == EAGAIN ? .isOpen : .unsupported
    }

    /// How often this process has the file open, this lease aside.
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
