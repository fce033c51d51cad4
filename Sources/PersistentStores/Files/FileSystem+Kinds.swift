import Glibc

extension FileSystem {
    /// What may be part of a store.
    enum StorePart: Equatable {
        case file(size: Int)
        case folder
    }

    /// What a path itself is; nil if there is nothing.
    ///
    /// A link is an error, since what it leads to is not the store's; so is what is neither file nor folder.
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
