import Glibc

/// What tells a source from what it was: its size and the time of its last change.
enum SourceIdentity {
    static func text(of path: String) -> String {
        var status = stat()
        guard path != "-", stat(path, &status) == 0 else { return "" }
        return "\(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
    }
}
