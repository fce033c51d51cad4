import Glibc

/// A file with a binary value that Core Data keeps outside the database
/// (docs/format/sqlite-store.md#external-binary-data).
public enum ExternalRecord {
    /// Returns whether a name is a UUID as Core Data writes it; any other name could lead out of the folder.
    public static func isName(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        guard bytes.count == 36 else { return false }
        return bytes.enumerated().allSatisfy { index, byte in
            if [8, 13, 18, 23].contains(index) { return byte == UInt8(ascii: "-") }
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "F"),
                UInt8(ascii: "a")...UInt8(ascii: "f"):
                return true
            default: return false
            }
        }
    }

    /// Returns the path of the first link among the file and its two folders, since a link could lead anywhere; nil if
    /// there is none.
    private static func link(to name: String, in directory: String) -> String? {
        [FileSystem.directory(of: directory), directory, directory + "/" + name].first(where: FileSystem.isLink)
    }

    /// Returns the bytes of a record file; nil if there is no such file.
    ///
    /// A symbolic link is an error, whether it is the file or one of its folders: it could lead to a file that does not
    /// belong to the store.
    ///
    /// - Parameters:
    ///   - name: the name of the file, which is a UUID.
    ///   - directory: `_EXTERNAL_DATA` in the store's support folder.
    /// - Throws: `FileError` if the file cannot be read, is a folder, or is reached through a link.
    public static func content(named name: String, in directory: String) throws(FileError) -> [UInt8]? {
        let path = directory + "/" + name
        if let link = link(to: name, in: directory) { throw FileError(.read, link, number: ELOOP) }
        switch try FileSystem.storePart(at: path, to: .read) {
        case nil: return nil
        case .file(let size): return try FileSystem.contents(of: path, upTo: size, followsLinks: false)
        case .folder: throw FileError(.read, path, number: EINVAL)
        }
    }
}
