import Glibc

/// A path that ends in a name.
public struct NamedPath: Sendable, Hashable {
    /// The path as text.
    public let text: String

    /// Makes a path; one that ends in `.` or `..` becomes the absolute path of that folder.
    public init(_ path: String) {
        let last = path.split(separator: "/").last ?? ""
        guard last == "." || last == "..", let resolved = unsafe realpath(path, nil) else {
            text = path
            return
        }
        defer { unsafe free(resolved) }
        text = unsafe String(cString: resolved)
    }
}
