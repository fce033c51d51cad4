import Glibc

/// A new file, written block by block, in a folder that no other process uses yet.
public final class NewFile {
    private let path: String
    private let descriptor: Int32

    /// Makes the empty file.
    /// - Throws: `StoreError.exists` if something already exists at the path.
    public init(_ path: String) throws(StoreError) {
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
        guard descriptor >= 0 else {
            throw errno == EEXIST ? StoreError(.exists, path: path) : StoreError(FileError(.create, path))
        }
    }

    deinit { close(descriptor) }

    /// Appends bytes to the file.
    /// - Throws: `StoreError` if the disk is full, or writing fails.
    public func write(_ bytes: [UInt8]) throws(StoreError) {
        do throws(FileError) {
            try FileSystem.write(bytes[...], to: descriptor, of: path)
        } catch {
            throw StoreError(error)
        }
    }
}
