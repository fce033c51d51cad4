internal import Glibc
import SQLiteAccess

/// An open file descriptor from which a source is read.
struct InputDescriptor: Sendable {
    let number: Int32
    /// The path; `-` for standard input.
    let name: String
    /// Whether the descriptor belongs to a stream, which may have nothing to read for any length of time.
    let isStream: Bool

    /// The interval in milliseconds at which cancellation is checked while there is nothing to read.
    private static let patience: Int32 = 100

    /// Reads the available bytes into a range of a buffer, at least one byte; returns 0 at the end.
    ///
    /// - Parameter offset: the number of bytes read before, for errors.
    /// - Throws: `SourceError` if the descriptor cannot be read, or if the work is cancelled
    ///   (`LockWait.onCancellation`) while a stream has nothing to read.
    func read(into buffer: inout [UInt8], _ range: Range<Int>, at offset: Int) throws(SourceError) -> Int {
        while true {
            if isStream { try wait() }
            let count = buffer.withUnsafeMutableBytes { bytes in
                Glibc.read(number, bytes.baseAddress?.advanced(by: range.lowerBound), range.count)
            }
            if count >= 0 { return count }
            guard errno == EINTR || isStream && errno == EAGAIN else {
                throw SourceError(.cannotRead(systemError: errno), in: name, at: offset)
            }
        }
    }

    private func wait() throws(SourceError) {
        while true {
            var waiting = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
            let ready = poll(&waiting, 1, Self.patience)
            if LockWait.isCancelled { throw SourceError(.cancelled, in: name) }
            if ready > 0 || ready < 0 && errno != EINTR { return }
        }
    }

    func close() {
        if number != STDIN_FILENO { Glibc.close(number) }
    }
}
