import Glibc

/// An error when a program cannot be started.
public struct ChildProcessError: Error, Sendable, Hashable {
    /// The name of the program.
    public let program: String
    /// The system's error number (errno).
    public let number: Int32
}

extension ChildProcessError: CustomStringConvertible {
    public var description: String { "\(program) cannot be started: \(reason)" }

    /// The system's message for the error.
    public var reason: String { String(cString: strerror(number)) }
}
