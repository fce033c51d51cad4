internal import Glibc

/// The bytes of a file, of a stream or in memory, as they are.
final class RawInput {
    /// The path, `-` for standard input.
    let name: String
    /// How far it has been read, in bytes.
    private(set) var offset = 0
    /// Whether its bytes can be read again.
    let isRegular: Bool

    private let descriptor: Int32
    private let isStream: Bool
    /// All bytes, or those at the beginning that were looked at.
    private var memory: [UInt8]

    /// Opens a file; throws where it cannot be opened or is a directory.
    init(path: String) throws(SourceError) {
        name = path
        memory = []
        isStream = false
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            isRegular = false
            throw SourceError(.cannotOpen(systemError: errno), in: path)
        }
        var information = stat()
        guard fstat(descriptor, &information) == 0 else {
            isRegular = false
            throw SourceError(.cannotOpen(systemError: errno), in: path)
        }
        isRegular = information.st_mode & S_IFMT == S_IFREG
        guard information.st_mode & S_IFMT != S_IFDIR else {
            throw SourceError(.cannotOpen(systemError: EISDIR), in: path)
        }
        _ = posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
    }

    /// Reads bytes that lie in memory.
    init(bytes: [UInt8], name: String) {
        self.name = name
        descriptor = -1
        isRegular = false
        isStream = false
        memory = bytes
    }

    /// Reads a stream, of which the first bytes were read already.
    init(stream descriptor: Int32, name: String, start: [UInt8]) {
        self.name = name
        self.descriptor = descriptor
        isRegular = false
        isStream = true
        memory = start
    }

    deinit {
        if isStream { StreamInput.close(name) } else if descriptor >= 0 { close(descriptor) }
    }

    /// The first bytes, which will be read all the same; fewer than wanted where there are no more.
    func start(_ wanted: Int) throws(SourceError) -> [UInt8] {
        var start = [UInt8](repeating: 0, count: wanted)
        if isRegular {
            let count = start.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, wanted, 0) }
            guard count >= 0 else { throw SourceError(.cannotRead(systemError: errno), in: name, at: 0) }
            return Array(start.prefix(count))
        }
        while memory.count < wanted, descriptor >= 0 {
            let count = try readDescriptor(into: &start, 0..<wanted - memory.count)
            if count == 0 { break }
            memory += start.prefix(count)
        }
        return Array(memory.prefix(wanted))
    }

    /// Reads into a range of a buffer; returns 0 at the end.
    func read(into buffer: inout [UInt8], _ range: Range<Int>) throws(SourceError) -> Int {
        guard offset < memory.count || descriptor < 0 else {
            let count = try readDescriptor(into: &buffer, range)
            offset += count
            return count
        }
        let count = min(range.count, memory.count - offset)
        guard count > 0 else { return 0 }
        buffer.replaceSubrange(range.lowerBound..<range.lowerBound + count, with: memory[offset..<offset + count])
        offset += count
        return count
    }

    private func readDescriptor(into buffer: inout [UInt8], _ range: Range<Int>) throws(SourceError) -> Int {
        if isStream {
            return try StreamInput.read(descriptor, into: &buffer, range, of: name, at: offset)
        }
        while true {
            let count = buffer.withUnsafeMutableBytes { bytes in
                Glibc.read(descriptor, bytes.baseAddress?.advanced(by: range.lowerBound), range.count)
            }
            if count >= 0 { return count }
            guard errno == EINTR else { throw SourceError(.cannotRead(systemError: errno), in: name, at: offset) }
        }
    }

    /// Goes to an offset without reading; whether there is such an offset, nil if this is not possible.
    func seek(to target: Int) -> Bool? {
        if descriptor < 0 || target <= memory.count {
            guard target <= memory.count else { return false }
            offset = target
            return true
        }
        let size = lseek(descriptor, 0, SEEK_END)
        guard size >= 0 else { return nil }
        guard target <= Int(size), lseek(descriptor, off_t(target), SEEK_SET) >= 0 else { return false }
        offset = target
        return true
    }
}
