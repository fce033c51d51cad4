import Glibc

/// The entries of a folder, with the kind of each.
public struct FolderListing: Sendable {
    /// An entry of a folder.
    public struct Entry: Sendable, Hashable {
        /// The name alone, without the folder's path.
        public let name: String
        /// The kind of the entry; links are not followed.
        public let kind: FileKind
    }

    /// The entries without `.` and `..`, in no particular order.
    public let entries: [Entry]

    /// Lists a folder, without names that are not UTF-8, since they could not be opened by name.
    /// - Throws: `DocumentError` with code `unreadable` if the folder cannot be opened.
    public init(path: String) throws(DocumentError) {
        guard let stream = unsafe opendir(path) else {
            let reason = unsafe String(cString: strerror(errno))
            throw DocumentError(.unreadable, reason, at: SourceLocation(file: path, line: 1))
        }
        defer { unsafe closedir(stream) }
        var entries: [Entry] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard let name, name != ".", name != ".." else { continue }
            let kind: FileKind
            switch unsafe Int(entry.pointee.d_type) {
            case DT_REG: kind = .file
            case DT_DIR: kind = .folder
            case DT_LNK: kind = .link
            case DT_UNKNOWN:
                // Not every file system reports the kind.
                var status = stat()
                guard unsafe lstat(path + "/" + name, &status) == 0 else { continue }
                kind = FileKind(mode: status.st_mode)
            default: kind = .other
            }
            entries.append(Entry(name: name, kind: kind))
        }
        self.entries = entries
    }
}
