/// The files that make up one SQLite store, which are copied, moved and replaced together.
public struct StoreFiles: Sendable, Hashable {
    /// The main database file.
    public let path: String

    /// The path that messages show: that of the main file, unless it stands in for another store.
    public let shownPath: String

    /// Makes the paths of a store from that of its main file.
    ///
    /// - Parameters:
    ///   - path: the main database file.
    ///   - shownPath: the path that messages show; nil for that of the main file.
    public init(_ path: String, shownAs shownPath: String? = nil) {
        self.path = path
        self.shownPath = shownPath ?? path
    }

    /// Makes the paths of the store that a path leads to: if it is a link, the other files are beside its target.
    ///
    /// - Parameters:
    ///   - path: the main database file, or a link to it.
    ///   - shownPath: the path that messages show; nil for that of the main file.
    public init(followingLinks path: String, shownAs shownPath: String? = nil) {
        self.init(FileSystem.isLink(path) ? FileSystem.resolvingLinks(path) : path, shownAs: shownPath)
    }

    /// The write-ahead log, with committed pages that are not yet in the main file.
    public var writeAheadLog: String { path + "-wal" }

    /// The index of the write-ahead log, shared by the processes that have the store open.
    public var sharedMemory: String { path + "-shm" }

    /// The rollback journal of a transaction.
    public var journal: String { path + "-journal" }

    /// The folder that the store is in.
    public var directory: String { FileSystem.directory(of: path) }
    /// The name of the main file.
    public var name: String { FileSystem.name(of: path) }

    /// The folder with external data, `.NAME_SUPPORT` beside the store, NAME without its extension
    /// (docs/format/sqlite-store.md#external-binary-data).
    public var supportDirectory: String {
        let name = self.name
        var stem = Substring(name)
        if let dot = name.lastIndex(of: "."), dot != name.startIndex { stem = name[..<dot] }
        return directory + "/.\(stem)_SUPPORT"
    }

    /// The folder with the files that external binary values name.
    public var externalDataDirectory: String { supportDirectory + "/_EXTERNAL_DATA" }

    /// The sidecar files that SQLite may have left beside the main file.
    public var sidecars: [String] { [writeAheadLog, sharedMemory, journal] }

    /// The size of the main file, the write-ahead log and the external data together, in bytes.
    public var totalSize: Int64 {
        SaturatingSum.of([FileSystem.size(path) ?? 0, FileSystem.size(writeAheadLog) ?? 0, externalDataSize])
    }

    /// The size of the external data, in bytes.
    public var externalDataSize: Int64 {
        let names = (try? FileSystem.names(in: externalDataDirectory)) ?? []
        return SaturatingSum.of(names.lazy.map { FileSystem.size(externalDataDirectory + "/" + $0) ?? 0 })
    }

    /// Copies the store as one unit, synchronized; the destination must not exist.
    ///
    /// The caller must keep writers away. The shared-memory file is not copied, since SQLite recreates it.
    /// - Parameters:
    ///   - destination: the files of the copy.
    ///   - isCancelled: called from time to time; true ends the copy with an error whose `isCancelled` is true.
    /// - Throws: `FileError` if something is at the destination, if a file cannot be copied, or if the copy was
    ///   cancelled; nothing of the copy remains in these cases.
    public func copy(to destination: StoreFiles, isCancelled: (() -> Bool)? = nil) throws(FileError) {
        for path in [destination.path, destination.writeAheadLog, destination.journal, destination.supportDirectory]
        where FileSystem.isThere(path) {
            throw FileError(.create, path, number: 17)
        }
        do {
            if FileSystem.isDirectory(supportDirectory) {
                try FileSystem.copyDirectory(
                    supportDirectory, to: destination.supportDirectory, isCancelled: isCancelled)
            }
            // The log first: pages that a checkpoint moves meanwhile are then in both copies.
            for (from, to) in [
                (writeAheadLog, destination.writeAheadLog), (journal, destination.journal), (path, destination.path),
            ] where try FileSystem.copyFileIfThere(from, to: to, isCancelled: isCancelled) {
                try FileSystem.synchronize(to)
            }
            try FileSystem.synchronize(destination.directory)
        } catch {
            destination.remove()
            throw error
        }
    }

    /// Removes all files of the store that exist, as far as possible.
    public func remove() {
        for path in [path] + sidecars + [supportDirectory] { try? FileSystem.remove(path) }
    }
}
