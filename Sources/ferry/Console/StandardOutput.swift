import FoundationEssentials
import Glibc
import PersistentStores

/// Blocks of bytes on standard output.
enum StandardOutput {
    /// The reader has seen enough, as `head` does: no failure, but nothing more is worth computing.
    struct Closed: Error {}

    /// Throws `Closed` where no one reads any more, and `FileError`.
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
