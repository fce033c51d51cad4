import Glibc
import PersistentStores

/// Finds the stores in a folder and the folders in it; names are read one by one, in the order of the file system.
struct StoreSearch {
    /// Names that stores have, besides all files that are SQLite databases by their content.
    private static let endings = [".sqlite", ".sqlite3", ".db", ".store", ".storedata"]

    /// Ends of the names of what lies beside stores.
    private static let companions = ["-wal", "-shm", "-journal"]

    /// Calls the closure with the path of each store. Links to folders are not followed.
    static func forEachStore(in folder: String, _ body: (String) throws -> Void) throws {
        // Folders that wait, instead of recursion: as deep as the file system allows.
        var folders = [folder]
        while let folder = folders.popLast() {
            guard let stream = opendir(folder) else { throw StoreError(FileError(.list, folder)) }
            defer { closedir(stream) }
            while let entry = readdir(stream) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                let path = folder + "/" + name
                // Hidden ones are external data, and what runs leave.
                if name.hasPrefix(".") { continue }
                if FileSystem.isDirectory(path) {
                    if !FileSystem.isLink(path) { folders.append(path) }
                } else if isStore(path, named: name) {
                    try body(path)
                }
            }
        }
    }

    private static func isStore(_ path: String, named name: String) -> Bool {
        if companions.contains(where: name.hasSuffix) { return false }
        let lowercased = name.lowercased()
        return endings.contains(where: lowercased.hasSuffix)
            || (!FileSystem.isStream(path) && FileSystem.isDatabase(path))
    }
}
