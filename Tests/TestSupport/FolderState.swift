public import Foundation

/// All files below a folder with bytes, times and permissions: equal states mean that nothing was written.
public struct FolderState: Equatable, Sendable {
    private struct Entry: Equatable, Sendable {
        let bytes: Data?
        let permissions: Int
        let inode: UInt64
        let modified: Int
        let changed: Int
    }

    private let entries: [String: Entry]

    public init(of folder: String) throws {
        var entries: [String: Entry] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
            let path = folder + "/" + name
            var status = stat()
            guard lstat(path, &status) == 0 else { continue }
            let isFile = status.st_mode & S_IFMT == S_IFREG
            entries[name] = Entry(
                bytes: isFile ? FileManager.default.contents(atPath: path) : nil,
                permissions: Int(status.st_mode), inode: UInt64(status.st_ino),
                modified: Self.nanoseconds(status.st_mtim), changed: Self.nanoseconds(status.st_ctim))
        }
        self.entries = entries
    }

    /// The paths below the folder, sorted.
    public var names: [String] { entries.keys.sorted() }

    /// The bytes of a file.
    public func bytes(of name: String) -> Data? { entries[name]?.bytes }

    /// The names of the files that differ in anything.
    public func differences(from other: FolderState) -> [String] {
        Set(entries.keys).union(other.entries.keys).filter { entries[$0] != other.entries[$0] }.sorted()
    }

    /// The names of the files whose bytes differ, or that only one of the two has.
    public func byteDifferences(from other: FolderState) -> [String] {
        Set(entries.keys).union(other.entries.keys).filter { name in
            (entries[name] == nil) != (other.entries[name] == nil) || entries[name]?.bytes != other.entries[name]?.bytes
        }.sorted()
    }

    private static func nanoseconds(_ time: timespec) -> Int {
        time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
