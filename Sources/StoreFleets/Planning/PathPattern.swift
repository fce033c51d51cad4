import Glibc
import PersistentStores

/// A pattern of paths: `*` matches any characters of a name, `?` any single one, `[...]` one of a set, and `**` any
/// number of folders.
///
/// Names are read one by one, so that memory does not grow with the number of paths.
struct PathPattern {
    /// The folder before the first part with a pattern.
    let folder: String
    private let parts: [String]

    /// Returns nil for a path without a pattern.
    init?(_ path: String) {
        let all = path.split(separator: "/").map(String.init)
        guard let first = all.firstIndex(where: Self.isPattern) else { return nil }
        folder = "/" + all[..<first].joined(separator: "/")
        parts = Array(all[first...])
    }

    private static func isPattern(_ part: String) -> Bool { part.contains { "*?[".contains($0) } }

    /// Calls the closure with each path, in the order of the file system; hidden names only match patterns that begin
    /// with a dot.
    func forEachPath(_ body: (String) throws -> Void) throws {
        // The pending folders, each with the number of its next part, instead of recursion.
        var waiting = [(folder: folder == "/" ? "" : folder, part: 0)]
        while let (folder, part) = waiting.popLast() {
            let pattern = parts[part]
            let isLast = part == parts.count - 1
            if pattern == "**" {
                // `**` also matches no folder at all.
                if !isLast { waiting.append((folder, part + 1)) }
            } else if !Self.isPattern(pattern) {
                let path = folder + "/" + pattern
                guard FileSystem.isThere(path) else { continue }
                if isLast { try body(path) } else { waiting.append((path, part + 1)) }
                continue
            }
            guard let stream = opendir(folder.isEmpty ? "/" : folder) else {
                if errno == ENOTDIR || errno == ENOENT { continue }
                throw StoreError(FileError(.list, folder))
            }
            defer { closedir(stream) }
            while let entry = readdir(stream) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                if name == "." || name == ".." { continue }
                let path = folder + "/" + name
                if pattern == "**" {
                    if name.hasPrefix(".") { continue }
                    // Links to folders are not followed, since they may be circular.
                    if FileSystem.isDirectory(path) {
                        if !FileSystem.isLink(path) { waiting.append((path, part)) }
                    } else if isLast {
                        try body(path)
                    }
                } else if fnmatch(pattern, name, FNM_PERIOD) == 0 {
                    if isLast {
                        try body(path)
                    } else if FileSystem.isDirectory(path) {
                        waiting.append((path, part + 1))
                    }
                }
            }
        }
    }
}
