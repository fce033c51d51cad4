import Glibc
import PersistentStores

/// A fresh folder in `TMPDIR`, else in `/tmp`, that only this user can enter; gone with this value.
///
/// While a run lives it holds an advisory lock on its folder: one that a killed run has left goes with the next run.
final class WorkingFolder {
    let path: String
    private let descriptor: Int32

    private static let prefix = "ferry-store-"

    init() throws(StoreError) {
        let named = getenv("TMPDIR").map { String(cString: $0) } ?? ""
        let parent = named.isEmpty ? "/tmp" : named
        Self.removeStale(in: parent)
        // Each round ends because another run took the folder for a stale one, before it was locked.
        for _ in 0..<100 {
            var template = Array((parent + "/" + Self.prefix + "XXXXXX").utf8CString)
            let isMade = template.withUnsafeMutableBufferPointer { buffer in
                buffer.baseAddress.map { mkdtemp($0) != nil } ?? false
            }
            guard isMade else { throw StoreError(FileError(.create, parent)) }
            let made = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
            if let descriptor = Self.lock(made) {
                (path, self.descriptor) = (made, descriptor)
                return
            }
        }
        throw StoreError(.busyStaging, path: parent)
    }

    deinit {
        try? FileSystem.remove(path)
        close(descriptor)
    }

    /// Locks a folder of this user; nil where it is none, where another run has it, or where it has just gone.
    private static func lock(_ path: String) -> Int32? {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        var ours = stat()
        var there = stat()
        if fstat(descriptor, &ours) == 0, ours.st_uid == geteuid(), flock(descriptor, LOCK_EX | LOCK_NB) == 0,
            lstat(path, &there) == 0, ours.st_ino == there.st_ino, ours.st_dev == there.st_dev {
            return descriptor
        }
        close(descriptor)
        return nil
    }

    /// Removes the folders that runs have left which were killed.
    private static func removeStale(in parent: String) {
        for name in (try? FileSystem.names(in: parent)) ?? []
        where name.hasPrefix(prefix) && name.utf8.count == prefix.utf8.count + 6 {
            guard let descriptor = lock(parent + "/" + name) else { continue }
            try? FileSystem.remove(parent + "/" + name)
            close(descriptor)
        }
    }
}
