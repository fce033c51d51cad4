import Foundation

/// All that reading must leave alone in a directory: names, times, sizes, permissions and bytes.
///
/// It opens and closes the files, and POSIX then drops the locks that this process has on them: not to be taken where a
/// connection's locks matter.
struct DirectoryState: Equatable {
    private struct Entry: Equatable {
        let modified: Date?
        let permissions: Int?
        let inode: Int?
        /// When the owner, the permissions or the content last changed, in nanoseconds.
        let changed: Int?
        let bytes: Data?
    }

    private let modified: Date?
    private let entries: [String: Entry]

    init(of directory: String) throws {
        let files = FileManager.default
        modified = try files.attributesOfItem(atPath: directory)[.modificationDate] as? Date
        var entries: [String: Entry] = [:]
        for name in try files.contentsOfDirectory(atPath: directory) {
            let path = directory + "/" + name
            var status = stat()
            let isThere = stat(path, &status) == 0
            let changed = isThere ? status.st_ctim.tv_sec * 1_000_000_000 + status.st_ctim.tv_nsec : nil
            let attributes = try files.attributesOfItem(atPath: path)
            entries[name] = Entry(
                modified: attributes[.modificationDate] as? Date, permissions: attributes[.posixPermissions] as? Int,
                inode: attributes[.systemFileNumber] as? Int, changed: changed, bytes: files.contents(atPath: path))
        }
        self.entries = entries
    }

    var names: [String] { entries.keys.sorted() }
}
