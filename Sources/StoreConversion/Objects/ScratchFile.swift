import Glibc
import PersistentStores

/// Bytes that wait on disk in an unnamed file, which disappears with the process.
final class ScratchFile {
    private let output: BufferedOutput
    private let reading: Int32
    private let pieceNumbers: Int

    /// The number of bytes that have been appended.
    var count: Int64 { output.position }

    /// - Parameter path: the path beside which the file is created.
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

    /// Appends the bytes that a closure adds.
    @inline(__always)
    func append(_ body: (inout [UInt8]) -> Void) throws(StoreError) {
        body(&output.buffer)
        try output.flushIfFull()
    }

    /// Writes all appended bytes to the file; only these can be read.
    func flush() throws(StoreError) { try output.flush() }

    // MARK: Reading

    /// Reads bytes that have been written.
    ///
    /// - Parameters:
    ///   - count: the number of bytes, which must be in the file.
    ///   - offset: the offset of the first byte in the file.
    ///   - bytes: the array that receives the bytes.
    ///   - place: the index of the first byte in the array, which must be large enough.
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

    /// Passes all appended bytes to a closure in pieces, each of which contains whole numbers of a width.
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
