import Glibc
import PersistentStores

/// Bytes that wait on disk, in a file without a name: it is gone with the process.
final class ScratchFile {
    private let output: BufferedOutput
    private let reading: Int32
    private let pieceNumbers: Int

    /// How many bytes were appended.
    var count: Int64 { output.position }

    /// - Parameter path: beside this the file is made.
    init(beside path: String, limits: ConversionLimits) throws(StoreError) {
        pieceNumbers = max(1, limits.waitingNumbers)
        let name = path + ".scratch"
        unlink(name)
        let descriptor = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw StoreError(FileError(.create, name)) }
        reading = descriptor
        do throws(StoreError) {
            output = try BufferedOutput(path: name, limits: limits, isKept: false)
        } catch {
            close(descriptor)
            throw error
        }
        unlink(name)
    }

    deinit { close(reading) }

    // MARK: Writing

    /// Appends what the closure adds to the bytes that wait to be written.
    @inline(__always)
    func append(_ body: (inout [UInt8]) -> Void) throws(StoreError) {
        body(&output.buffer)
        try output.flushIfFull()
    }

    /// Writes all that was appended; only that can be read.
    func flush() throws(StoreError) { try output.flush() }

    // MARK: Reading

    /// Reads bytes that were written.
    ///
    /// - Parameters:
    ///   - count: how many; the file has them.
    ///   - offset: the first of them.
    ///   - bytes: where they go.
    ///   - place: the first place there; all of them are in the array.
    func read(_ count: Int, at offset: Int64, to bytes: inout [UInt8], at place: Int) throws(StoreError) {
        var done = 0
        while done < count {
            let step = bytes.withUnsafeMutableBytes {
                pread(reading, $0.baseAddress.map { $0 + place + done }, count - done, off_t(offset) + done)
            }
            if step < 0, errno == EINTR { continue }
            guard step > 0 else { throw StoreError(FileError(.read, output.path)) }
            done += step
        }
    }

    /// Passes all that was appended in pieces, each of whole numbers of a width.
    func forEachPiece(width: Int, _ body: (Span<UInt8>) throws -> Void) throws {
        try flush()
        var piece = [UInt8](repeating: 0, count: Int(min(count, Int64(width * pieceNumbers))))
        var offset: Int64 = 0
        while offset < count {
            let wanted = Int(min(Int64(piece.count), count - offset))
            try read(wanted, at: offset, to: &piece, at: 0)
            try body(piece.span.extracting(0..<wanted))
            offset += Int64(wanted)
        }
    }
}
