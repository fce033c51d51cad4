import Foundation

/// A small file system of its own, in memory, for what happens when one is full; only root can mount one.
public final class MountedFolder {
    public let path: String
    private let directory: TemporaryDirectory

    /// Whether this process may mount file systems.
    public static let isPossible: Bool = {
        guard getuid() == 0, let folder = try? MountedFolder(kilobytes: 64) else { return false }
        return !folder.path.isEmpty
    }()

    public init(kilobytes: Int) throws {
        directory = try TemporaryDirectory()
        path = directory.file("mounted")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let run = try ToolProcess.run(
            "/usr/bin/env", ["mount", "-t", "tmpfs", "-o", "size=\(kilobytes)k", "ferry-tests", path])
        guard run.status == 0 else { throw CocoaError(.fileWriteNoPermission) }
    }

    deinit {
        _ = try? ToolProcess.run("/usr/bin/env", ["umount", "-l", path])
    }

    public func file(_ name: String) -> String { path + "/" + name }

    /// Bytes that are free.
    public var free: Int {
        var status = statvfs()
        return statvfs(path, &status) == 0 ? Int(status.f_bavail) * Int(status.f_frsize) : 0
    }

    /// Fills the file system up to some bytes.
    public func fill(leaving bytes: Int) throws {
        let descriptor = open(path + "/filler", O_WRONLY | O_CREAT | O_APPEND, 0o600)
        guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
        defer { close(descriptor) }
        let page = [UInt8](repeating: 1, count: 4096)
        while free > bytes {
            let count = page.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count <= 0 { return }
        }
    }
}
