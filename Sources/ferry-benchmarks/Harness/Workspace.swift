import Foundation
import PersistentStores

/// A folder for generated data, in `TMPDIR`, that goes with all in it when this object goes.
final class Workspace: Sendable {
    let path: String

    /// - Parameter bytes: the space that will be needed.
    init(needing bytes: Int64) throws {
        let parent = ProcessInfo.processInfo.environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
        if let free = FileSystem.freeSpace(parent), free < bytes {
            throw BenchmarkError.noSpace(parent, needed: bytes, free: free)
        }
        path = parent + "/ferry-benchmarks-\(getpid())"
        guard mkdir(path, 0o700) == 0 else {
            throw BenchmarkError.cannotCreate(path, reason: String(cString: strerror(errno)))
        }
    }

    deinit {
        try? FileSystem.remove(path)
    }

    func file(_ name: String) -> String { path + "/" + name }

    /// Writes a small file, with the folders above it.
    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        let path = file(name)
        try FileSystem.createDirectory(FileSystem.directory(of: path))
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    /// Removes a store and what SQLite keeps beside it.
    func removeStore(_ path: String) throws {
        for sidecar in StoreFiles(path).sidecars + [path] { try FileSystem.remove(sidecar) }
    }

    /// Makes a copy of a store that is on the device, so that what is timed afterwards waits for its own bytes only,
    /// and in the system's cache, like the template that the reference reads.
    func renewStore(_ path: String, from template: String) throws {
        try removeStore(path)
        // Our own copy of a large file is not in the cache.
        try MeasuredProgram(executable: "cp", arguments: ["--reflink=never", template, path], directory: self.path)
            .run()
        try FileSystem.synchronize(path)
        try FileSystem.synchronize(self.path)
    }
}
