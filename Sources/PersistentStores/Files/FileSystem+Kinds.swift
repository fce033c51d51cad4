import Glibc

extension FileSystem {
    /// A kind of file that may be part of a store.
    enum StorePart: Equatable {
        case file(size: Int)
        case folder
    }

    /// Returns the kind of the file at a path; nil if there is nothing.
    ///
    /// A link is an error, since its target does not belong to the store; so is anything that is neither a file nor a
    /// folder.
    static func storePart(at path: String, to operation: FileError.Operation) throws(FileError) -> StorePart? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .file(size: Int(status.st_size))
        case S_IFDIR: return .folder
        case S_IFLNK: throw FileError(operation, path, number: ELOOP)
        default: throw FileError(operation, path, number: EINVAL)
        }
    }
}
