import Glibc

/// A folder for files that are not whole yet. While a run lives it holds an advisory lock on it.
final class StagingFolder {
    let path: String
    private let descriptor: Int32

    /// Makes the folder, or takes one that a run has left which died; what is in that stays.
    ///
    /// Throws `StoreError.busyStaging` where another run is using it.
    init(_ path: String) throws(StoreError) {
        self.path = path
        // Each round ends because another process removed the folder in that moment.
        for _ in 0..<100 {
            guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw StoreError(FileError(.create, path)) }
            let opened = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            if opened < 0, errno == ENOENT { continue }
            guard opened >= 0 else {
                // Of a symbolic link the system says only that it is not a folder.
                let number = errno
                throw StoreError(FileError(.open, path, number: FileSystem.isLink(path) ? ELOOP : number))
            }
            guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
                close(opened)
                throw StoreError(.busyStaging, path: path)
            }
            var ours = stat()
            var there = stat()
            if fstat(opened, &ours) == 0, lstat(path, &there) == 0, ours.st_ino == there.st_ino {
                descriptor = opened
                return
            }
            close(opened)
        }
        throw StoreError(.busyStaging, path: path)
    }

    deinit { close(descriptor) }

    func file(_ name: String) -> String { path + "/" + name }

    /// Removes the folder with all in it, as far as that is possible.
    func remove() { try? FileSystem.remove(path) }
}
