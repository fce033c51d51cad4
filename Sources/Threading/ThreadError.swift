internal import Glibc

/// Why the system starts no new thread.
public struct ThreadError: Error, Sendable, Hashable {
    /// The system's error number (errno).
    public let number: Int32

    /// Makes an error of the number with which the system refused a thread.
    public init(number: Int32) {
        self.number = number
    }
}

extension ThreadError: CustomStringConvertible {
    /// One sentence; its wording may change.
    public var description: String {
        let reason = strerror(number).map { String(cString: $0) } ?? "error number \(number)"
        return "the system starts no new thread (\(reason)); raise the limit of processes (ulimit -u) or of memory, "
            + "or end other programs"
    }
}
