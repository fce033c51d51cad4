internal import Glibc
internal import Threading

/// A file that is written and read at offsets, and closed when this object is released.
@safe
final class OutputFile: Sendable {
    private let descriptor: Int32
    let path: String

    /// Linux's O_TMPFILE, a macro that is not imported into Swift.
    private static let withoutName = 0o20000000 | O_DIRECTORY

    /// Opens an existing file and empties it, or creates a new one.
    init(path: String) throws(BuildError) {
        self.path = path
        descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        // One byte is left, in a page that will be written. If a file was truncated to zero, closing it waits for the
        // device (ext4's `auto_da_alloc`), as if the file replaced an older one.
        if descriptor < 0 || ftruncate(descriptor, 1) != 0 {
            throw BuildError(.file("cannot be opened for writing", errno), path: path)
        }
    }

    /// Opens an existing file for reading only.
    init(reading path: String) throws(BuildError) {
        self.path = path
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        if descriptor < 0 { throw BuildError(.file("cannot be opened for reading", errno), path: path) }
    }

    /// Creates an unnamed file beside another one. It disappears with this process, however the process ends.
    init(unnamedBeside other: String) throws(BuildError) {
        let folder = other.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(other[..<$0]) } ?? "."
        path = folder.isEmpty ? "/" : folder
        var opened = unsafe open(path, O_RDWR | Self.withoutName | O_CLOEXEC, 0o600)
        if opened < 0 {
            // Some file systems do not support unnamed files.
            var template = (other + "-sort-XXXXXX").utf8.map { CChar(bitPattern: $0) } + [0]
            opened = unsafe mkstemp(&template)
            if opened >= 0 { _ = unsafe unlink(template) }
        }
        descriptor = opened
        if descriptor < 0 { throw BuildError(.file("cannot hold a file for sorting", errno), path: path) }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    func write(_ bytes: borrowing ByteBuffer, _ range: Range<Int>, at offset: Int64) throws(BuildError) {
        let descriptor = self.descriptor
        let failure: Int32? = bytes.withRawBytes(range) { bytes in
            unsafe Self.write(bytes, to: descriptor, at: offset)
        }
        if let failure { throw BuildError(.file("cannot be written", failure), path: path) }
    }

    func write(_ words: Span<UInt64>, at offset: Int64) throws(BuildError) {
        let descriptor = self.descriptor
        let failure: Int32? = unsafe words.withUnsafeBytes { bytes in
            unsafe Self.write(bytes, to: descriptor, at: offset)
        }
        if let failure { throw BuildError(.file("cannot be written", failure), path: path) }
    }

    /// Reads words up to the end of the file; returns the number of words.
    func read(_ words: inout MutableSpan<UInt64>, at offset: Int64) throws(BuildError) -> Int {
        let descriptor = self.descriptor
        let result = unsafe words.withUnsafeMutableBytes { bytes in
            unsafe Self.read(descriptor, into: bytes, at: offset)
        }
        if result < 0 { throw BuildError(.file("cannot be read", errno), path: path) }
        return result
    }

    /// Reads bytes up to the end of the range or of the file; returns the number of bytes.
    func read(_ bytes: inout ByteBuffer, _ range: Range<Int>, at offset: Int64) throws(BuildError) -> Int {
        let descriptor = self.descriptor
        let result: Int = bytes.withMutableRawBytes(range) { bytes in
            unsafe Self.read(descriptor, into: bytes, at: offset)
        }
        if result < 0 { throw BuildError(.file("cannot be read", errno), path: path) }
        return result
    }

    /// Writes all bytes; returns the system's error number if it fails.
    private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int64) -> Int32? {
        var written = 0
        while written < bytes.count {
            let start = unsafe bytes.baseAddress?.advanced(by: written)
            let count = unsafe pwrite(descriptor, start, bytes.count - written, off_t(offset) + written)
            if count > 0 { written += count } else if count == 0 || errno != EINTR { return errno }
        }
        return nil
    }

    /// Reads bytes up to the end of the file; returns -1 if it fails.
    private static func read(
        _ descriptor: Int32, into bytes: UnsafeMutableRawBufferPointer, at offset: Int64
    ) -> Int {
        var done = 0
        while done < bytes.count {
            let start = unsafe bytes.baseAddress?.advanced(by: done)
            let count = unsafe pread(descriptor, start, bytes.count - done, off_t(offset) + done)
            if count > 0 { done += count } else if count == 0 { break } else if errno != EINTR { return -1 }
        }
        return done
    }

    func setSize(_ size: Int64) throws(BuildError) {
        guard ftruncate(descriptor, off_t(size)) == 0 else { throw BuildError(.file("cannot grow", errno), path: path) }
    }

    /// Releases the space of an unnamed file that is no longer needed. This takes the system as long as writing part of
    /// it, so it is done on another thread, if the system can start one.
    func discard() {
        try? WorkerThread.start { [self] in _ = ftruncate(descriptor, 0) }
    }

    func synchronize() throws(BuildError) {
        guard fsync(descriptor) == 0 else { throw BuildError(.file("cannot be synchronized", errno), path: path) }
    }
}
