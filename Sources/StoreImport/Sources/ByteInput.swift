internal import Glibc

/// The bytes of a source in order: a file, standard input or bytes in memory.
///
/// One owner reads it, on one thread. The descriptor of a file is closed with the last reference.
public final class ByteInput {
    /// What messages and reject logs call the source: the path, `-` for standard input.
    public let name: String

    /// The most bytes that one read asks for.
    public let chunkBytes: Int

    /// How far the input has been read, in bytes.
    public private(set) var offset = 0

    private var descriptor: Int32 = -1
    private let ownsDescriptor: Bool
    private var memory: [UInt8] = []

    /// 256 KiB: a few reads per mebibyte cost nothing measurable, and the window stays in the second-level cache.
    public static let defaultChunkBytes = 256 << 10

    /// Opens a file, or standard input for `-`; throws where it cannot be opened or is a directory.
    public init(path: String, chunkBytes: Int = ByteInput.defaultChunkBytes) throws(SourceError) {
        name = path
        self.chunkBytes = max(1, chunkBytes)
        guard path != "-" else {
            descriptor = STDIN_FILENO
            ownsDescriptor = false
            memory = StandardInput.takeStart()
            return
        }
        ownsDescriptor = true
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SourceError(.cannotOpen(systemError: errno), in: path) }
        var information = stat()
        guard fstat(descriptor, &information) == 0 else {
            throw SourceError(.cannotOpen(systemError: errno), in: path)
        }
        guard information.st_mode & S_IFMT != S_IFDIR else {
            throw SourceError(.cannotOpen(systemError: EISDIR), in: path)
        }
        _ = posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
    }

    /// Reads bytes that lie in memory, in chunks of at most `chunkBytes`.
    public init(bytes: [UInt8], name: String, chunkBytes: Int = ByteInput.defaultChunkBytes) {
        self.name = name
        self.chunkBytes = max(1, chunkBytes)
        ownsDescriptor = false
        memory = bytes
    }

    deinit {
        if ownsDescriptor && descriptor >= 0 { close(descriptor) }
    }

    /// Reads at most `chunkBytes` into the free end of a buffer, from `start` on; returns 0 at the end of the input.
    func read(into buffer: inout [UInt8], at start: Int, atMost limit: Int) throws(SourceError) -> Int {
        let wanted = min(chunkBytes, limit, buffer.count - start)
        guard wanted > 0 else { return 0 }
        // Bytes in memory, or the start of standard input that was looked at.
        if descriptor < 0 || offset < memory.count {
            let count = min(wanted, memory.count - offset)
            guard count > 0 else { return 0 }
            buffer.replaceSubrange(start..<start + count, with: memory[offset..<offset + count])
            offset += count
            return count
        }
        let descriptor = descriptor
        while true {
            let count = buffer.withUnsafeMutableBytes { bytes in
                Glibc.read(descriptor, bytes.baseAddress?.advanced(by: start), wanted)
            }
            if count >= 0 {
                offset += count
                return count
            }
            guard errno == EINTR else { throw SourceError(.cannotRead(systemError: errno), in: name, at: offset) }
        }
    }

    /// Goes forward to a byte offset: by seeking in a file, by reading elsewhere; false if the input ends before it.
    func skip(to target: Int) throws(SourceError) -> Bool {
        guard target > offset else { return target == offset }
        if descriptor < 0 {
            guard target <= memory.count else { return false }
            offset = target
            return true
        }
        if target <= memory.count {
            offset = target
            return true
        }
        let size = lseek(descriptor, 0, SEEK_END)
        if size >= 0 {
            guard target <= Int(size), lseek(descriptor, off_t(target), SEEK_SET) >= 0 else { return false }
            offset = target
            return true
        }
        var discarded = [UInt8](repeating: 0, count: chunkBytes)
        while offset < target {
            if try read(into: &discarded, at: 0, atMost: target - offset) == 0 { return false }
        }
        return true
    }
}
