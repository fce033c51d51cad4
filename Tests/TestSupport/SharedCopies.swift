import Foundation
import Synchronization

/// Copies, which everybody may read, of files that only their owner can reach: those of a checkout below a folder that
/// nobody else may enter, as root's home is.
final class SharedCopies: Sendable {
    static let shared = try? SharedCopies()

    private let directory: TemporaryDirectory
    private let copies = Mutex<[String: String]>([:])

    private init() throws {
        directory = try TemporaryDirectory()
    }

    /// The path under which another user can read a file or a folder: its own where that user can reach it.
    func path(of original: String) throws -> String {
        guard FileManager.default.fileExists(atPath: original), !Self.isOpen(original) else { return original }
        return try copies.withLock { copies in
            if let copy = copies[original] { return copy }
            let copy = directory.file("\(copies.count)-" + URL(fileURLWithPath: original).lastPathComponent)
            try FileManager.default.copyItem(atPath: original, toPath: copy)
            let below = try? FileManager.default.subpathsOfDirectory(atPath: copy)
            for path in [copy] + (below ?? []).map({ copy + "/" + $0 }) {
                var status = stat()
                if stat(path, &status) == 0 { chmod(path, status.st_mode | (status.st_mode & 0o500) >> 6) }
            }
            copies[original] = copy
            return copy
        }
    }

    /// Whether everybody may read it, and enter the folders above it.
    private static func isOpen(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & 0o004 != 0 else { return false }
        var url = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        while url.path != "/" {
            url.deleteLastPathComponent()
            guard stat(url.path, &status) == 0, status.st_mode & 0o001 != 0 else { return false }
        }
        return true
    }
}
