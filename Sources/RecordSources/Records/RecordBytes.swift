internal import Glibc

/// The place of the original bytes of a source's records.
public enum RecordBytes: Equatable, Sendable {
    /// In the batch itself.
    case inBatch
    /// In a buffer beside the spooled batch, at the offsets that the records contain.
    case besideBatch
    /// In the file, at the offsets that the records contain.
    case inFile(String)
    /// In memory.
    case inMemory([UInt8])

    /// Returns the bytes of a record; nil if the source does not know its place, or if the file cannot be read any
    /// more.
    public func bytes(of record: Int, in batch: RecordBatch) -> [UInt8]? {
        let range = batch[record].sourceRange
        switch self {
        case .inBatch:
            return batch[record].arenaLength > 0 ? Array(batch.sourceBytes(of: record)) : nil
        case .besideBatch:
            return range.isEmpty || batch.original == nil ? nil : Array(batch.sourceBytes(of: record))
        case .inMemory(let bytes):
            return range.isEmpty || range.upperBound > bytes.count ? nil : Array(bytes[range])
        case .inFile(let path):
            return range.isEmpty ? nil : RecordBytes.read(range, of: path)
        }
    }

    /// Returns a range of bytes; nil if they cannot be read any more.
    package func bytes(_ range: Range<Int>) -> [UInt8]? {
        switch self {
        case .inBatch, .besideBatch: nil
        case .inMemory(let bytes): range.upperBound > bytes.count ? nil : Array(bytes[range])
        case .inFile(let path): RecordBytes.read(range, of: path)
        }
    }

    /// Returns the XML start tag at an offset; nil if there is no tag of a reasonable length.
    func startTag(at offset: Int) -> [UInt8]? {
        // Attribute values may contain '>', but not the quote that encloses them.
        let largest = 1 << 16
        let bytes: [UInt8]
        switch self {
        case .inBatch, .besideBatch: return nil
        case .inMemory(let all): bytes = Array(all[offset..<min(all.count, offset + largest)])
        case .inFile(let path): bytes = RecordBytes.read(offset..<offset + largest, of: path, mayEnd: true) ?? []
        }
        var quote: UInt8?
        for (index, byte) in bytes.enumerated() {
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                return Array(bytes[...index])
            }
        }
        return nil
    }

    private static func read(_ range: Range<Int>, of path: String, mayEnd: Bool = false) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: range.count)
        var count = 0
        while count < bytes.count {
            let read = bytes.withUnsafeMutableBytes { buffer in
                pread(
                    descriptor, buffer.baseAddress?.advanced(by: count), range.count - count,
                    off_t(range.lowerBound + count))
            }
            if read < 0 && errno == EINTR { continue }
            if read == 0 && mayEnd { return Array(bytes[..<count]) }
            guard read > 0 else { return nil }
            count += read
        }
        return bytes
    }
}
