import Glibc
import PersistentStores

/// Finds the stores in a folder and its subfolders; names are read one by one, in the order of the file system.
struct StoreSearch {
    /// The suffixes of stores' names; files that are SQLite databases by their content are also included.
    private static let endings = [".sqlite", ".sqlite3", ".db", ".store", ".storedata"]

    /// The suffixes of the files beside stores.
    private static let companions = ["-wal", "-shm", "-journal"]

    /// Calls the closure with the path of each store. Links to folders are not followed.
    static func forEachStore(in folder: String, _ body: (String) throws -> Void) throws {
        // The pending folders, instead of recursion, since the depth is limited only by the file system.
        var folders = [folder]
        while let folder = folders.popLast() {
            guard let stream = opendir(folder) else { throw StoreError(FileError(.list, folder)) }
            defer { closedir(stream) }
            while let entry = readdir(stream) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                let path = folder + "/" + name
                // Hidden files and folders are external data, or leftovers of runs.
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
