internal import Glibc
import SQLiteAccess

/// An unnamed temporary file. It disappears with this process, however the process ends.
package final class TemporaryBytes {
    private let descriptor: Int32

    /// Returns nil if no file can be created in the folder for temporary files.
    package init?() {
        var template = Array(TemporaryFolder.place.utf8.map { CChar(bitPattern: $0) })
        template += "/ferry-import-XXXXXX".utf8.map { CChar(bitPattern: $0) } + [0]
        descriptor = mkstemp(&template)
        guard descriptor >= 0 else { return nil }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        unlink(template)
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Writes all bytes at an offset; returns false and sets `errno` if this fails.
    package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Bool {
        var done = 0
        while done < bytes.count {
            let count = pwrite(
                descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done, off_t(offset + done))
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return false }
            done += count
        }
        return true
    }

    /// Fills the buffer; returns false and sets `errno` if this fails or the file ends.
    package func read(into bytes: UnsafeMutableRawBufferPointer, at offset: Int) -> Bool {
        var done = 0
        while done < bytes.count {
            let count = pread(
                descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done, off_t(offset + done))
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return false }
            done += count
        }
        return true
    }
}
