import Glibc
import PersistentStores

/// Writes a file in large pieces.
final class BufferedOutput {
    let path: String
    private let descriptor: Int32
    private(set) var count: Int64 = 0

    /// What waits to be written; append here and call `flushIfFull()` now and then.
    ///
    /// Accesses are not checked for overlaps at run time: it is appended to for every value, by one thread.
    @exclusivity(unchecked) var buffer: [UInt8] = []

    let limits: ConversionLimits

    /// Opens an existing file, whose content is overwritten.
    init(path: String, limits: ConversionLimits) throws(StoreError) {
        self.path = path
        self.limits = limits
        descriptor = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw StoreError(FileError(.open, path)) }
        buffer.reserveCapacity(limits.output + 4096)
    }

    deinit { close(descriptor) }

    /// How many bytes were appended so far.
    var position: Int64 { count + Int64(buffer.count) }

    func flushIfFull() throws(StoreError) {
        if buffer.count >= limits.output { try flush() }
    }

    func flush() throws(StoreError) {
        var done = 0
        while done < buffer.count {
            let step = buffer.withUnsafeBytes { write(descriptor, $0.baseAddress.map { $0 + done }, $0.count - done) }
            guard step >= 0 else {
                if errno == EINTR { continue }
                throw StoreError(FileError(.write, path))
            }
            done += step
        }
        count += Int64(done)
        buffer.removeAll(keepingCapacity: buffer.capacity <= limits.output * 4)
    }

    /// Overwrites bytes that were flushed.
    func overwrite(_ bytes: [UInt8], at offset: Int64) throws(StoreError) {
        let step = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, off_t(offset)) }
        guard step == bytes.count else { throw StoreError(FileError(.write, path)) }
    }
}
