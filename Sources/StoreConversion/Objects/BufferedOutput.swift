import Glibc
import PersistentStores

/// Writes a file in large pieces.
final class BufferedOutput {
    let path: String
    private let descriptor: Int32
    private(set) var count: Int64 = 0
    /// The number of bytes for which writing to the device has begun.
    private var begun: Int64 = 0
    private let isKept: Bool

    /// The bytes that have not been written yet. Append to them, and call `flushIfFull()` regularly.
    ///
    /// Accesses are not checked for overlaps at run time, because one thread appends every value here.
    @exclusivity(unchecked) var buffer: [UInt8] = []

    let limits: ConversionLimits

    /// Opens an existing file, and overwrites it.
    ///
    /// - Parameter isKept: whether the bytes must be on the device at the end.
    init(path: String, limits: ConversionLimits, isKept: Bool = true) throws(StoreError) {
        self.path = path
        self.isKept = isKept
        self.limits = limits
        descriptor = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw StoreError(FileError(.open, path)) }
        buffer.reserveCapacity(limits.output + 4096)
    }

    deinit { close(descriptor) }

    /// The number of bytes that have been appended.
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
        beginSynchronizing()
        buffer.removeAll(keepingCapacity: buffer.capacity <= limits.output * 4)
    }

    /// Lets the system begin to write bytes to the device while more are created. By default, it would begin when a
    /// tenth of its memory is used, and synchronizing the file would wait for all of them. This is only a hint; errors
    /// are reported when the file is synchronized.
    private func beginSynchronizing() {
        guard isKept, count - begun >= limits.earlyBytes else { return }
        // Linux begins to write ranges that are declared as not needed.
        _ = posix_fadvise(descriptor, off_t(begun), off_t(count - begun), POSIX_FADV_DONTNEED)
        begun = count
    }

    /// Overwrites bytes that have been flushed.
    func overwrite(_ bytes: [UInt8], at offset: Int64) throws(StoreError) {
        let step = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, off_t(offset)) }
        guard step == bytes.count else { throw StoreError(FileError(.write, path)) }
    }
}
