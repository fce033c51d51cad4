import Glibc

/// The kind of a file.
public enum FileKind: Sendable, Hashable {
    /// A regular file.
    case file
    /// A folder.
    case folder
    /// A symbolic link, in a listing; links are followed in paths that the user names.
    case link
    /// A device, a pipe or a socket.
    case other

    /// Determines the kind of the file at a path, following links; nil if there is nothing.
    public init?(path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        self.init(mode: status.st_mode)
    }

    init(mode: mode_t) {
        switch mode & S_IFMT {
        case S_IFREG: self = .file
        case S_IFDIR: self = .folder
        case S_IFLNK: self = .link
        default: self = .other
        }
    }
}
