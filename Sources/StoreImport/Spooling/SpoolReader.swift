internal import Glibc
import RecordSources

/// The reader of a spool, block by block, which does not trust any byte of it.
final class SpoolReader {
    let path: String
    private let descriptor: Int32
    private let size: Int
    private var offset: Int
    /// The offset of the last block.
    private let end: Int

    private let limits: SpoolLimits

    /// Opens a file, and checks its beginning and its end.
    init(_ path: String, limits: SpoolLimits = SpoolLimits()) throws {
        self.path = path
        self.limits = limits
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SourceError(.cannotOpen(systemError: errno), in: path) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw SpoolError.noSpool(path)
        }
        size = Int(status.st_size)
        offset = SpoolBlock.magic.count + 8
        let least = offset + 2 * (SpoolBlock.headerBytes + SpoolBlock.checksumBytes) + 16
        do {
            let start = try Self.read(0..<min(size, offset), of: descriptor, path)
            guard start.starts(with: SpoolBlock.magic) else { throw SpoolError.noSpool(path) }
            guard size >= least else { throw SpoolError.damaged(path, byteOffset: size) }
            let version = Self.word(start, at: SpoolBlock.magic.count)
            guard version == SpoolBlock.version else { throw SpoolError.otherVersion(path, version: version) }
            let trailer = try Self.read(size - 16..<size, of: descriptor, path)
            let last = Self.word(trailer, at: 0)
            guard trailer[8...].elementsEqual(SpoolBlock.endMagic), last >= UInt64(offset), last < UInt64(size - 16)
            else { throw SpoolError.damaged(path, byteOffset: size - 16) }
            end = Int(last)
        } catch {
            close(descriptor)
            throw error
        }
    }

    deinit { close(descriptor) }

    /// Returns the next block; nil after the last one.
    func next() throws -> (kind: SpoolBlock, content: [UInt8], offset: Int)? {
        guard offset <= end else { return nil }
        let block = try block(at: offset)
        let start = offset
        offset = block.end
        guard offset <= end || start == end, (block.kind == .ending) == (start == end) else {
            throw SpoolError.damaged(path, byteOffset: start)
        }
        return (block.kind, block.content, start)
    }

    /// Returns the content of the first block.
    func header() throws -> [UInt8] {
        let block = try block(at: SpoolBlock.magic.count + 8)
        guard block.kind == .import else { throw SpoolError.damaged(path, byteOffset: SpoolBlock.magic.count + 8) }
        return block.content
    }

    /// Returns the content of the last block.
    func ending() throws -> [UInt8] {
        let block = try block(at: end)
        guard block.kind == .ending, block.end == size - 16 else { throw SpoolError.damaged(path, byteOffset: end) }
        return block.content
    }

    /// Returns the content of a block of hashes, and the offset of the next block.
    func keys(at start: Int) throws -> (content: [UInt8], end: Int) {
        guard start >= SpoolBlock.magic.count + 8, start < end else {
            throw SpoolError.damaged(path, byteOffset: start)
        }
        let block = try block(at: start)
        guard block.kind == .keys else { throw SpoolError.damaged(path, byteOffset: start) }
        return (block.content, block.end)
    }

    private func block(at start: Int) throws -> (kind: SpoolBlock, content: [UInt8], end: Int) {
        let content = start + SpoolBlock.headerBytes
        guard content <= size - SpoolBlock.checksumBytes else { throw SpoolError.damaged(path, byteOffset: start) }
        let header = Self.word(try Self.read(start..<content, of: descriptor, path), at: 0)
        let length = header & (1 << 56 - 1)
        guard let kind = SpoolBlock(rawValue: UInt8(truncatingIfNeeded: header >> 56)),
            length <= UInt64(limits.blockContent),
            length <= UInt64(size - content - SpoolBlock.checksumBytes)
        else { throw SpoolError.damaged(path, byteOffset: start) }
        let count = Int(length)
        var bytes = try Self.read(content..<content + count + SpoolBlock.checksumBytes, of: descriptor, path)
        let expected = Self.word(bytes, at: count)
        bytes.removeLast(SpoolBlock.checksumBytes)
        guard SpoolBlock.checksum(header, bytes.span) == expected else {
            throw SpoolError.damaged(path, byteOffset: start)
        }
        return (kind, bytes, content + count + SpoolBlock.checksumBytes)
    }

    private static func word(_ bytes: [UInt8], at place: Int) -> UInt64 {
        (0..<8).reversed().reduce(0) { $0 << 8 | UInt64(bytes[place + $1]) }
    }

    private static func read(_ range: Range<Int>, of descriptor: Int32, _ path: String) throws -> [UInt8] {
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
            while count < range.count {
                let found = pread(
                    descriptor, buffer.baseAddress?.advanced(by: count), range.count - count,
                    off_t(range.lowerBound + count))
                if found < 0, errno == EINTR { continue }
                if found < 0 { failure = errno }
                guard found > 0 else { return }
                count += found
            }
        }
        guard failure == 0 else { throw SourceError(.cannotRead(systemError: failure), in: path) }
        // The file has been truncated.
        guard bytes.count == range.count else {
            throw SpoolError.damaged(path, byteOffset: range.lowerBound + bytes.count)
        }
        return bytes
    }
}
