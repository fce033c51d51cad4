import Glibc

/// A failed operation on a file.
public struct FileError: Error, Sendable, Hashable {
    /// What was tried.
    public enum Operation: String, Sendable {
        /// The usual operations, by the verb that messages use.
        case open, create, read, write, copy, rename, link, remove, list, lock, synchronize
        /// Reading the size, the kind or the permissions of a file.
        case inspect = "look at"
    }

    /// What was tried.
    public let operation: Operation
    /// The path of the file or folder.
    public let path: String

    /// The system's error number (errno).
    public let number: Int32

    /// Makes an error for the system call that has just failed, from `errno`.
    public init(_ operation: Operation, _ path: String) {
        self.init(operation, path, number: errno)
    }

    /// Makes an error of an operation, a path and the system's error number (errno).
    public init(_ operation: Operation, _ path: String, number: Int32) {
        self.operation = operation
        self.path = path
        self.number = number
    }

    /// Returns the note for a new file whose folder entry could not be synchronized because of this error.
    public func durabilityNote(_ path: String) -> String {
        "\(path) is in its place, but if the power fails now that may be undone: \(self)"
    }

    /// The disk or a quota is full.
    public var isNoSpace: Bool { number == ENOSPC || number == EDQUOT }
    /// The file would exceed the size limit of this process, `ulimit -f`, or of the file system.
    public var isTooLarge: Bool { number == EFBIG }
    /// The caller cancelled the operation.
    public var isCancelled: Bool { number == ECANCELED }
    /// There is no such file, or no such folder above it.
    public var isMissing: Bool { number == ENOENT || number == ENOTDIR }
    /// The path is a symbolic link where links are not allowed, or a link that leads to itself.
    public var isLink: Bool { number == ELOOP }
}

extension FileError: CustomStringConvertible {
    public var description: String {
        "cannot \(operation.rawValue) \(path): \(reason)"
    }

    private var reason: String {
        switch number {
        case ENOENT where operation == .create || operation == .write:
            FileSystem.isDirectory(FileSystem.directory(of: path))
                ? "its folder accepts no new files" : "its folder does not exist; make it, or choose another path"
        case ENOENT: "there is no such file or folder"
        case EACCES, EPERM: "permission denied"
        case EROFS: "the file system is read-only"
        case ENOSPC: "no space is left on the device; free some and try again"
        case EDQUOT: "the disk quota is used up; free some space and try again"
        case EEXIST, ENOTEMPTY: "it exists already"
        case EISDIR: "it is a folder"
        case ENOTDIR: "part of the path is not a folder"
        case EBUSY: "it is a mount point or in use by the system"
        case ELOOP: "it is a symbolic link where none is allowed, or one that leads to itself"
        case EXDEV: "the two are on different file systems"
        case EWOULDBLOCK: "another process is using it"
        case EIO: "the device reports an input/output error"
        case EFBIG:
            "it would exceed the size that the file system or this process allows; raise the limit (ulimit -f)"
        case ENAMETOOLONG: "the name is too long"
        case ECANCELED: "cancelled"
        case ENOLCK, EOPNOTSUPP, ENOSYS:
            "the file system does not support this, as some network file systems do not; work on a local disk"
        case ESTALE: "it was replaced or removed on the server of its file system; try again"
        case ETIMEDOUT, EHOSTDOWN, EHOSTUNREACH, ENOTCONN: "the server of its file system does not answer; try again"
        case EMFILE, ENFILE: "too many files are open; raise the limit (ulimit -n)"
        case EINVAL: "it is not a regular file, or its file system does not support this"
        default: strerror(number).map { String(cString: $0) } ?? "system error \(number)"
        }
    }
}
