internal import Glibc

/// A new folder in `TMPDIR`, otherwise in `/tmp`, that only this user can enter; removed on deallocation.
///
/// A running process holds an advisory lock on its folder: the folder of a killed run is removed by the next run that
/// makes one of the same kind.
public final class TemporaryFolder {
    /// The error if no folder could be made.
    public struct Failure: Error, Sendable {
        /// The parent folder.
        public let parent: String
        /// The system's error number (errno).
        public let number: Int32
    }

    /// The folder's path.
    public let path: String
    private let descriptor: Int32

    /// The folder for temporary files: `TMPDIR`, otherwise `/tmp`.
    public static var place: String {
        let named = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? ""
        return named.isEmpty ? "/tmp" : named
    }

    /// Removes folders of the same kind that killed runs have left, and makes a new one.
    /// - Parameters:
    ///   - kind: the beginning of its name; six more characters follow.
    ///   - folder: the parent folder; nil for the folder for temporary files.
    /// - Throws: `Failure` if the system cannot make the folder.
    public init(kind: String, in folder: String? = nil) throws(Failure) {
        let parent = folder ?? Self.place
        Self.removeStale(kind, in: parent)
        // Each round fails because another run took the folder for a stale one, before it was locked.
        for _ in 0..<100 {
            var template = (parent + "/" + kind + "XXXXXX").utf8.map { CChar(bitPattern: $0) } + [0]
            guard let name = unsafe mkdtemp(&template) else { throw Failure(parent: parent, number: errno) }
            let made = unsafe String(cString: name)
            if let descriptor = Self.lock(made) {
                (path, self.descriptor) = (made, descriptor)
                return
            }
        }
        throw Failure(parent: parent, number: EBUSY)
    }

    deinit {
        Self.remove(path)
        close(descriptor)
    }

    /// Locks a folder; returns nil if it is not this user's, is locked by another run, or has just been removed.
    private static func lock(_ path: String) -> Int32? {
        let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        var ours = stat()
        var there = stat()
        if unsafe fstat(descriptor, &ours) == 0, ours.st_uid == geteuid(), flock(descriptor, LOCK_EX | LOCK_NB) == 0,
            unsafe lstat(path, &there) == 0, ours.st_ino == there.st_ino, ours.st_dev == there.st_dev
        {
            return descriptor
        }
        close(descriptor)
        return nil
    }

    /// Removes the folders that killed runs have left.
    private static func removeStale(_ kind: String, in parent: String) {
        for name in names(in: parent) where name.hasPrefix(kind) && name.utf8.count == kind.utf8.count + 6 {
            guard let descriptor = lock(parent + "/" + name) else { continue }
            remove(parent + "/" + name)
            close(descriptor)
        }
    }

    /// Removes a folder with everything in it, as far as possible; does not follow links.
    private static func remove(_ path: String) {
        for name in names(in: path) where unsafe unlink(path + "/" + name) != 0 && errno == EISDIR {
            remove(path + "/" + name)
        }
        unsafe rmdir(path)
    }

    private static func names(in folder: String) -> [String] {
        guard let stream = unsafe opendir(folder) else { return [] }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
