import Glibc
import PersistentStores

/// Bytes that wait on disk, in a file without a name: it is gone with the process.
final class ScratchFile {
    private let output: BufferedOutput
    private let reading: Int32
    private let pieceNumbers: Int

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
            output = try BufferedOutput(path: name, limits: limits)
        } catch {
            close(descriptor)
            throw error
        }
        unlink(name)
    }

    deinit { close(reading) }

    /// Appends the low bytes of a number, the highest first.
    func append(_ number: UInt64, width: Int) throws(StoreError) {
        for shift in stride(from: (width - 1) * 8, through: 0, by: -8) {
            output.buffer.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
        }
        try output.flushIfFull()
    }

    /// Passes all numbers of a width, in the order in which they were appended.
    func forEach(width: Int, _ body: (UInt64) throws -> Void) throws {
        try output.flush()
        var offset: Int64 = 0
        var piece = [UInt8](repeating: 0, count: width * pieceNumbers)
        while offset < output.count {
            let wanted = Int(min(Int64(piece.count), output.count - offset))
            var done = 0
            while done < wanted {
                let step = piece.withUnsafeMutableBytes {
                    pread(reading, $0.baseAddress.map { $0 + done }, wanted - done, off_t(offset) + done)
                }
                if step < 0, errno == EINTR { continue }
                guard step > 0 else { throw StoreError(FileError(.read, output.path)) }
                done += step
            }
            for start in stride(from: 0, to: wanted, by: width) {
                var number: UInt64 = 0
                for place in start..<start + width { number = number << 8 | UInt64(piece[place]) }
                try body(number)
            }
            offset += Int64(wanted)
        }
    }
}
