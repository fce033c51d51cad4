import Glibc

/// A new file that is written block by block beside its place, and renamed there when it is whole.
///
/// A run that was killed leaves `.NAME.ferry-staging`, which the next one overwrites.
public final class StreamedFile {
    private let path: String
    private let staging: String
    private let descriptor: Int32
    private var isFinished = false

    /// Throws `FileError`, with `EEXIST` where the file exists.
    public init(_ path: String) throws(FileError) {
        guard !FileSystem.exists(path), !FileSystem.isLink(path) else { throw FileError(.create, path, number: EEXIST) }
        self.path = path
        staging = StagedFile.stagingPath(for: path)
        descriptor = open(staging, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o666)
        guard descriptor >= 0 else { throw FileError(.create, path) }
    }

    deinit {
        close(descriptor)
        if !isFinished { unlink(staging) }
    }

    public func write(_ bytes: [UInt8]) throws(FileError) {
        try FileSystem.write(bytes, to: descriptor, of: path)
    }

    /// Gives the file its name; its bytes are on the device before.
    public func finish() throws(FileError) {
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw FileError(.synchronize, path) }
        try FileSystem.renameExclusively(staging, to: path)
        isFinished = true
        try FileSystem.synchronize(FileSystem.directory(of: path))
    }
}
