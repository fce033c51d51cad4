internal import Glibc

/// The bytes of a file, of a stream, or in memory, without decompression.
final class RawInput {
    /// The path; `-` for standard input.
    let name: String
    /// The number of bytes that have been read.
    private(set) var offset = 0
    /// Whether the bytes can be read again.
    let isRegular: Bool

    /// The descriptor; nil for bytes in memory.
    private let descriptor: InputDescriptor?
    /// All bytes, or those at the beginning that were examined.
    private var memory: [UInt8]

    /// Opens a file; throws an error if it cannot be opened or is a directory.
    init(path: String) throws(SourceError) {
        name = path
        memory = []
        let number = open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { throw SourceError(.cannotOpen(systemError: errno), in: path) }
        descriptor = InputDescriptor(number: number, name: path, isStream: false)
        var information = stat()
        guard fstat(number, &information) == 0 else {
            isRegular = false
            throw SourceError(.cannotOpen(systemError: errno), in: path)
        }
        isRegular = information.st_mode & S_IFMT == S_IFREG
        guard information.st_mode & S_IFMT != S_IFDIR else {
            throw SourceError(.cannotOpen(systemError: EISDIR), in: path)
        }
        _ = posix_fadvise(number, 0, 0, POSIX_FADV_SEQUENTIAL)
    }

    /// Creates an input from bytes in memory; for a stream, these are the bytes that have already been read.
    init(bytes: [UInt8], name: String, stream: InputDescriptor? = nil) {
        self.name = name
        descriptor = stream
        isRegular = false
        memory = bytes
    }

    deinit {
        guard let descriptor else { return }
        if descriptor.isStream { StreamInput.close(name) } else { descriptor.close() }
    }

    /// Returns the first bytes without consuming them; fewer than wanted if there are no more.
    func start(_ wanted: Int) throws(SourceError) -> [UInt8] {
        guard let descriptor else { return Array(memory.prefix(wanted)) }
        var start = [UInt8](repeating: 0, count: wanted)
        if isRegular {
            let count = start.withUnsafeMutableBytes { pread(descriptor.number, $0.baseAddress, wanted, 0) }
            guard count >= 0 else { throw SourceError(.cannotRead(systemError: errno), in: name, at: 0) }
            return Array(start.prefix(count))
        }
        while memory.count < wanted {
            let count = try descriptor.read(into: &start, 0..<wanted - memory.count, at: offset)
            if count == 0 { break }
            memory += start.prefix(count)
        }
        return Array(memory.prefix(wanted))
    }

    /// Reads into a range of a buffer; returns 0 at the end.
    func read(into buffer: inout [UInt8], _ range: Range<Int>) throws(SourceError) -> Int {
        if offset >= memory.count, let descriptor {
            let count = try descriptor.read(into: &buffer, range, at: offset)
            offset += count
            return count
        }
        let count = min(range.count, memory.count - offset)
        guard count > 0 else { return 0 }
        buffer.replaceSubrange(range.lowerBound..<range.lowerBound + count, with: memory[offset..<offset + count])
        offset += count
        return count
    }

    /// Moves to an offset without reading; returns whether the offset exists, or nil if seeking is not possible.
    func seek(to target: Int) -> Bool? {
        guard let descriptor, target > memory.count else {
            guard target <= memory.count else { return false }
            offset = target
            return true
        }
        let size = lseek(descriptor.number, 0, SEEK_END)
        guard size >= 0 else { return nil }
        guard target <= Int(size), lseek(descriptor.number, off_t(target), SEEK_SET) >= 0 else { return false }
        offset = target
        return true
    }
}
