internal import Glibc

/// An error of the system when it cannot start a new thread.
public struct ThreadError: Error, Sendable, Hashable {
    /// The system's error number (errno).
    public let number: Int32

    /// Makes an error from the system's error number.
    public init(number: Int32) {
        self.number = number
    }
}

extension ThreadError: CustomStringConvertible {
    /// A one-sentence description; its wording may change.
    public var description: String {
        let reason = strerror(number).map { String(cString: $0) } ?? "error number \(number)"
        return "the system starts no new thread (\(reason)); raise the limit of processes (ulimit -u) or of memory, "
            + "or end other programs"
    }
}
