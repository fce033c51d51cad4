import ChildProcesses
import Foundation

/// A program that a test talks to: text goes to its standard input, and what it prints is read up to a mark.
public final class Conversation {
    private let process: ChildProcess
    private let input = Pipe()
    private let output = Pipe()

    /// Starts a program.
    ///
    /// - Parameter joinsErrors: whether what it writes to standard error is read with what it prints.
    public init(_ executable: String, _ words: [String], joinsErrors: Bool = false) throws {
        // No other program that is started meanwhile holds an end of them.
        for end in [input, output].flatMap({ [$0.fileHandleForReading, $0.fileHandleForWriting] }) {
            _ = fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC)
        }
        process = try ChildProcess(
            executable, words, input: input.fileHandleForReading, output: output.fileHandleForWriting,
            errors: joinsErrors ? output.fileHandleForWriting : .standardError)
        try input.fileHandleForReading.close()
        try output.fileHandleForWriting.close()
    }

    public func send(_ text: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    }

    /// Returns what the program prints before the mark, which ends the text. Throws if it ends without it.
    public func answer(before mark: String) throws -> String {
        var (received, mark) = (Data(), Data(mark.utf8))
        while !received.suffix(mark.count).elementsEqual(mark) {
            let part = output.fileHandleForReading.availableData
            guard !part.isEmpty else { throw CocoaError(.fileReadUnknown) }
            received += part
        }
        return String(decoding: received.dropLast(mark.count), as: UTF8.self)
    }

    /// Ends the input, and waits until the program ends.
    public func finish() {
        try? input.fileHandleForWriting.close()
        process.wait()
    }

    /// Ends the program where it stands.
    public func kill() {
        process.kill()
    }
}
