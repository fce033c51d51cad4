import Glibc

/// A file that is new, written block by block, in a folder where no one else looks for it yet.
public final class NewFile {
    private let path: String
    private let descriptor: Int32

    /// Makes the file, which is empty.
    /// - Throws: `StoreError.exists` where something is there.
    public init(_ path: String) throws(StoreError) {
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
        guard descriptor >= 0 else {
            throw errno == EEXIST ? StoreError(.exists, path: path) : StoreError(FileError(.create, path))
        }
    }

    deinit { close(descriptor) }

    /// Appends bytes to the file.
    /// - Throws: `StoreError` if the disk is full or fails.
    public func write(_ bytes: [UInt8]) throws(StoreError) {
        do throws(FileError) {
            try FileSystem.write(bytes, to: descriptor, of: path)
        } catch {
            throw StoreError(error)
        }
    }
}
