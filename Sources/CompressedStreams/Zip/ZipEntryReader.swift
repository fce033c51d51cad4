import CZlib

/// Decompresses a file in a zip archive in pieces, and checks its size and checksum.
///
/// One piece of the archive is kept in memory. A reader belongs to one thread at a time.
public final class ZipEntryReader {
    private let archive: ZipArchive
    private let entry: ZipEntry
    /// nil if the bytes are stored without compression.
    private let inflation: Inflation?
    private var packed: Range<Int>
    private var piece = [UInt8](repeating: 0, count: 64 << 10)
    /// The bytes of the piece that have not been decoded yet.
    private var pending = 0..<0
    private var written = 0
    private var checksum: UInt
    private var isEnded = false

    init(_ archive: ZipArchive, _ entry: ZipEntry, _ packed: Range<Int>) throws(ZipError) {
        self.archive = archive
        self.entry = entry
        self.packed = packed
        checksum = crc32(0, nil, 0)
        do throws(StreamDecodingError) {
            // The negative sign means that there is no header.
            inflation = entry.method == .deflated ? try Inflation(windowBits: -Int32(MAX_WBITS)) : nil
        } catch {
            throw .notDecoded(entry: entry.name, error)
        }
    }

    /// Reads into the beginning of a buffer; returns the number of bytes, 0 at the end.
    ///
    /// - Throws: `ZipError` if the archive is damaged, or if size or checksum differ from the directory's.
    public func read(into buffer: UnsafeMutableRawBufferPointer) throws(ZipError) -> Int {
        guard !buffer.isEmpty else { return 0 }
        while !isEnded {
            if pending.isEmpty { try fill() }
            let progress = try step(buffer)
            pending = pending.lowerBound + progress.read..<pending.upperBound
            if progress.written > 0 {
                try count(UnsafeRawBufferPointer(rebasing: buffer[..<progress.written]))
                return progress.written
            }
            if !isEnded && progress.read == 0 { throw failure(.truncated) }
        }
        guard written == entry.size, checksum == UInt(entry.checksum) else {
            throw .damaged("\(entry.name) does not have its checksum")
        }
        return 0
    }

    private func fill() throws(ZipError) {
        guard !packed.isEmpty else { return }
        let result: Result<Int, ZipError> = piece.withUnsafeMutableBytes { bytes in
            do throws(ZipError) {
                return .success(
                    try archive.read(
                        into: UnsafeMutableRawBufferPointer(rebasing: bytes[..<min(bytes.count, packed.count)]),
                        at: packed.lowerBound))
            } catch {
                return .failure(error)
            }
        }
        let count = try result.get()
        guard count > 0 else { throw failure(.truncated) }
        pending = 0..<count
        packed = packed.lowerBound + count..<packed.upperBound
    }

    private func step(_ buffer: UnsafeMutableRawBufferPointer) throws(ZipError) -> StreamProgress {
        guard let inflation else {
            let count = min(buffer.count, pending.count)
            piece.withUnsafeBytes { bytes in
                buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[pending.prefix(count)]))
            }
            isEnded = count == 0 && packed.isEmpty
            return StreamProgress(read: count, written: count)
        }
        let result: Result<(progress: StreamProgress, state: Inflation.State), StreamDecodingError> =
            piece.withUnsafeBytes { bytes in
                do throws(StreamDecodingError) {
                    return .success(
                        try inflation.decode(UnsafeRawBufferPointer(rebasing: bytes[pending]), into: buffer))
                } catch {
                    return .failure(error)
                }
            }
        switch result {
        case .success(let (progress, state)):
            isEnded = state == .ended
            return progress
        case .failure(let error): throw failure(error)
        }
    }

    /// Adds bytes to size and checksum. Exceeding the size in the directory is an immediate error, since a small
    /// archive may decompress to any size.
    private func count(_ bytes: UnsafeRawBufferPointer) throws(ZipError) {
        written += bytes.count
        guard written <= entry.size else { throw .damaged("\(entry.name) is larger than the directory says") }
        checksum = crc32_z(checksum, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
    }

    private func failure(_ error: StreamDecodingError) -> ZipError { .notDecoded(entry: entry.name, error) }
}
