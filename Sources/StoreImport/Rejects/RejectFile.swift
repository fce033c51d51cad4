internal import Glibc
import RecordSources

/// A file that is written from front to back in large pieces.
final class RejectFile {
    let path: String
    /// The number of bytes, including those that have not been written yet.
    private(set) var count: Int
    private var pending: [UInt8] = []
    private let descriptor: Int32

    /// 64 KiB: one system call for several hundred records.
    private static let pieceSize = 64 << 10

    /// Creates a file, or continues one after a number of bytes; further bytes are removed. Symbolic links are not
    /// followed.
    ///
    /// - Parameter isReplacing: false to fail if the file exists.
    init(path: String, keeping kept: Int = 0, isReplacing: Bool) throws(SourceError) {
        self.path = path
        count = kept
        let flags = O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC | (isReplacing ? 0 : O_EXCL)
        descriptor = open(path, flags, 0o644)
        guard descriptor >= 0 else { throw SourceError(.cannotWrite(systemError: errno), in: path) }
        guard ftruncate(descriptor, off_t(kept)) == 0, lseek(descriptor, off_t(kept), SEEK_SET) >= 0 else {
            throw SourceError(.cannotWrite(systemError: errno), in: path)
        }
    }

    deinit {
        close(descriptor)
    }

    func append(_ bytes: some Collection<UInt8>) throws(SourceError) {
        pending.append(contentsOf: bytes)
        count += bytes.count
        if pending.count >= RejectFile.pieceSize { try flush() }
    }

    /// Writes all pending bytes.
    func flush() throws(SourceError) {
        var written = 0
        while written < pending.count {
            let descriptor = descriptor
            let result = pending.withUnsafeBytes { bytes in
                write(descriptor, bytes.baseAddress?.advanced(by: written), bytes.count - written)
            }
            if result < 0 && errno == EINTR { continue }
            guard result > 0 else { throw SourceError(.cannotWrite(systemError: errno), in: path) }
            written += result
        }
        pending.removeAll(keepingCapacity: true)
    }

    /// Writes all pending bytes and synchronizes the file.
    func synchronize() throws(SourceError) {
        try flush()
        guard fsync(descriptor) == 0 else { throw SourceError(.cannotWrite(systemError: errno), in: path) }
    }
}
