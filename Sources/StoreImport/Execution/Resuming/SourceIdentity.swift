import Glibc
import PersistentStores
import RecordSources

/// What tells a source from what it was: its size, and a digest of what was read of it so far.
///
/// The digest notices changes, not forgeries: FNV-1a of 64 bits.
struct SourceIdentity: Codable, Equatable {
    /// In bytes; -1 for a stream.
    private(set) var size: Int64
    /// How many bytes the digest is of.
    private(set) var count: Int64 = 0
    private(set) var digest: UInt64 = 0xcbf2_9ce4_8422_2325

    /// What is read at least, so that a database's header tells whether it was written to.
    private static let leastCount: Int64 = 4096

    init(of path: String) throws(SourceError) {
        size = StreamInput.isStream(path) ? -1 : FileSystem.size(path) ?? 0
        try extend(to: 0, of: path)
    }

    /// Takes more of the source into the digest: what lies before an offset, all where it is nil.
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
            // It has become shorter: the size says so.
            if found == 0 { return }
            var state = digest
            block.withUnsafeBytes { bytes in
                for byte in bytes.prefix(found) { state = (state ^ UInt64(byte)) &* 0x100_0000_01b3 }
            }
            digest = state
            count += Int64(found)
        }
    }

    /// Whether a file is as it was, as far as it was read.
    func matches(_ path: String) throws(SourceError) -> Bool {
        guard size >= 0, FileSystem.size(path) == size else { return false }
        var now = try SourceIdentity(of: path)
        try now.extend(to: Int(clamping: count), of: path)
        return now == self
    }
}
