import Glibc

/// A database that is made beside its final place, under a name that tells what it is, and renamed there when it is whole.
///
/// A run that was killed leaves it behind; the next one removes it. While a run lives it holds an advisory lock on it.
public final class StagedFile {
    /// The folder entry of the file.
    public let path: String

    private let descriptor: Int32

    /// Whether it has taken its final place.
    public private(set) var isMoved = false

    /// The staging name for a destination.
    public static func stagingPath(for destination: String) -> String {
        FileSystem.directory(of: destination) + "/." + FileSystem.name(of: destination) + ".ferry-staging"
    }

    /// Creates the empty file; one that an earlier run left is removed.
    ///
    /// Throws `StoreError.locked` where another run is working on the same destination.
    public init(for destination: String) throws(StoreError) {
        path = Self.stagingPath(for: destination)
        while true {
            let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o666)
            guard opened >= 0 else { throw StoreError(FileError(.create, path)) }
            guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
                close(opened)
                throw StoreError(.locked, path: path)
            }
            // Whoever held the lock before may have renamed or removed the file in the meantime.
            var ours = stat()
            var there = stat()
            if fstat(opened, &ours) == 0, stat(path, &there) == 0, ours.st_ino == there.st_ino {
                descriptor = opened
                break
            }
            close(opened)
        }
        for leftover in StoreFiles(path).sidecars { unlink(leftover) }
        guard ftruncate(descriptor, 0) == 0 else { throw StoreError(FileError(.write, path)) }
    }

    deinit {
        if !isMoved {
            for leftover in StoreFiles(path).sidecars { unlink(leftover) }
            unlink(path)
        }
        close(descriptor)
    }

    /// Waits until the bytes are on the device.
    public func synchronize() throws(StoreError) {
        guard fsync(descriptor) == 0 else { throw StoreError(FileError(.synchronize, path)) }
    }

    /// Gives the file the permissions of another one, where that is allowed.
    public func adoptPermissions(of other: String) {
        var status = stat()
        guard stat(other, &status) == 0 else { return }
        _ = fchmod(descriptor, status.st_mode & 0o7777)
        _ = fchown(descriptor, status.st_uid, status.st_gid)
    }

    /// Takes the destination's place at once; the folder's entry is durable afterwards.
    ///
    /// - Parameter replacing: false to fail where the destination exists.
    public func move(to destination: String, replacing: Bool) throws(StoreError) {
        do {
            if replacing {
                try FileSystem.rename(path, to: destination)
            } else if link(path, destination) == 0 {
                unlink(path)
            } else if errno == EEXIST {
                throw StoreError(.exists, path: destination)
            } else {
                // A file system without links: nearly as good.
                if FileSystem.exists(destination) { throw StoreError(.exists, path: destination) }
                try FileSystem.rename(path, to: destination)
            }
            isMoved = true
            try FileSystem.synchronize(FileSystem.directory(of: destination))
        } catch let error as FileError {
            throw StoreError(error)
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(.corrupt("\(error)"), path: path)
        }
    }
}
