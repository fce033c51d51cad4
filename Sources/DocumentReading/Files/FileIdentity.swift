import Glibc

/// The identity of a file or folder, regardless of the path by which it is named.
public struct FileIdentity: Sendable, Hashable {
    private let device: UInt64
    private let inode: UInt64

    /// Finds the file at a path, following links; nil if there is nothing.
    public init?(path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
    }
}
