import Glibc

/// A path that ends in the name of what lies there.
public struct NamedPath: Sendable, Hashable {
    public let text: String

    /// The path without slashes at the end; where it ends in `.` or `..`, the absolute path of that folder.
    public init(_ path: String) {
        var path = path
        while path.utf8.count > 1, path.hasSuffix("/") { path.removeLast() }
        let last = path.split(separator: "/").last ?? ""
        guard last == "." || last == "..", let resolved = unsafe realpath(path, nil) else {
            text = path
            return
        }
        defer { unsafe free(resolved) }
        text = unsafe String(cString: resolved)
    }
}
