import Glibc

/// A path that ends in the name of what lies there.
public struct NamedPath: Sendable, Hashable {
    /// The path as text.
    public let text: String

    /// A path that ends in `.` or `..` becomes the absolute path of that folder; others stay.
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
