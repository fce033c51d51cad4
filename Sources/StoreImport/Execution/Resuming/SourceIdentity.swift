import Glibc
import PersistentStores
import RecordSources

/// The identity of a source, to detect changes: its size, and a digest of the part that was read so far.
///
/// The digest, FNV-1a of 64 bits, detects changes but not forgeries.
struct SourceIdentity: Codable, Equatable {
    /// The size in bytes; -1 for a stream.
    private(set) var size: Int64
    /// The number of bytes in the digest.
    private(set) var count: Int64 = 0
    private(set) var digest: UInt64 = 0xcbf2_9ce4_8422_2325

    /// The smallest number of bytes to read, so that the header of a database shows whether it was changed.
    private static let leastCount: Int64 = 4096

    init(of path: String) throws(SourceError) {
        size = StreamInput.isStream(path) ? -1 : FileSystem.size(path) ?? 0
        try extend(to: 0, of: path)
    }

    /// Adds more of the source to the digest: all bytes before an offset, or all bytes if it is nil.
    mutating func extend(to offset: Int?, of path: String) throws(SourceError) {
        guard size >= 0 else { return }
        let end = min(size, max(offset.map(Int64.init) ?? size, Self.leastCount))
        guard end > count else { return }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SourceError(.cannotOpen(systemError: errno), in: path) }
        defer { close(descriptor) }
        var block = [UInt8](repeating: 0, count: 256 << 10)
        while count < end {
            let wanted = Int(min(end - count, Int64(block.count)))
            let found = block.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, wanted, off_t(count)) }
            if found < 0, errno == EINTR { continue }
            guard found >= 0 else { throw SourceError(.cannotRead(systemError: errno), in: path) }
            // The file has been truncated, which its size shows.
            if found == 0 { return }
            var state = digest
            block.withUnsafeBytes { bytes in
                for byte in bytes.prefix(found) { state = (state ^ UInt64(byte)) &* 0x100_0000_01b3 }
            }
            digest = state
            count += Int64(found)
        }
    }

    /// Returns whether a file is unchanged, as far as it was read.
    func matches(_ path: String) throws(SourceError) -> Bool {
        guard size >= 0, FileSystem.size(path) == size else { return false }
        var now = try SourceIdentity(of: path)
        try now.extend(to: Int(clamping: count), of: path)
        return now == self
    }
}
