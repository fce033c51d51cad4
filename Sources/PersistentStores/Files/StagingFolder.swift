import Glibc

/// A folder for files that are not complete yet. A running process holds an advisory lock on it.
final class StagingFolder {
    let path: String
    private let descriptor: Int32

    /// Makes the folder, or takes over the one that a killed run has left, with its contents.
    ///
    /// Throws `StoreError.busyStaging` if another run is using it.
    init(_ path: String) throws(StoreError) {
        self.path = path
        // Each round fails because another process removed the folder in that moment.
        for _ in 0..<100 {
            guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw StoreError(FileError(.create, path)) }
            let opened = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            if opened < 0, errno == ENOENT { continue }
            guard opened >= 0 else {
                // For a symbolic link the system reports only that it is not a folder.
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

    /// Removes the folder with everything in it, as far as possible.
    func remove() { try? FileSystem.remove(path) }
}
