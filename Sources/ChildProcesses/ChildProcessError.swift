import Glibc

/// A program could not be started.
public struct ChildProcessError: Error, Sendable, Hashable {
    /// The program that was asked for.
    public let program: String
    /// The system's error number (errno).
    public let number: Int32
}

extension ChildProcessError: CustomStringConvertible {
    public var description: String { "\(program) cannot be started: \(reason)" }

    /// What the system says of the error.
    public var reason: String { String(cString: strerror(number)) }
}
