internal import Glibc
import RecordSources

/// A file that is written from front to back, in large pieces.
final class RejectFile {
    let path: String
    /// How many bytes there are, those not yet written included.
    private(set) var count: Int
    private var pending: [UInt8] = []
    private let descriptor: Int32

    /// 64 KiB: a call for every several hundred records.
    private static let pieceSize = 64 << 10

    /// Makes a file, or goes on with one behind so many bytes; what it has more is cut off. A link is not followed.
    ///
    /// - Parameter isReplacing: false to fail where a file is there.
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

    /// Hands everything to the system.
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

    /// Hands everything to the disk.
    func synchronize() throws(SourceError) {
        try flush()
        guard fsync(descriptor) == 0 else { throw SourceError(.cannotWrite(systemError: errno), in: path) }
    }
}
