import FoundationEssentials
import Glibc
import PersistentStores

/// Writes blocks of bytes to standard output.
enum StandardOutput {
    /// The reader has stopped reading, like `head`. This is not a failure, but nothing more needs to be computed.
    struct Closed: Error {}

    /// Throws `Closed` if the reader has stopped reading, and `FileError`.
    static func write(_ bytes: [UInt8]) throws {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Glibc.write(1, $0.baseAddress, $0.count) }
            if count > 0 {
                written += count
            } else if errno == EPIPE {
                throw Closed()
            } else if errno != EINTR {
                throw FileError(.write, "standard output")
            }
        }
    }
}
