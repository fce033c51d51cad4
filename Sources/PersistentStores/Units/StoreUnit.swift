import Glibc

/// A store as one unit: its main file, its log and journal, and its folder with external data.
///
/// A killed run loses nothing: until a store and its external data are at their new place, the old store is complete.
public struct StoreUnit {
    /// The paths of the store's files.
    public let files: StoreFiles

    /// The type of the store; nil if only parts are left of a store whose removal was killed.
    public let type: StoreType?

    /// Options of an operation.
    public struct Options {
        /// Whether a store at the destination is replaced.
        public var isReplacing = false
        /// How long to wait for another process's lock, in milliseconds.
        public var timeout: Int32 = LockTimeout.milliseconds
        /// Called from time to time; if it returns true, the operation ends and nothing has changed.
        public var isCancelled: (() -> Bool)?
        /// Called after each step that changes the files on disk.
        public var onCheckpoint: ((String) -> Void)?

        /// Makes the default options: nothing is replaced, and the usual lock timeout applies.
        public init() {}
    }

    let options: Options

    /// Finds the files of a store.
    /// - Parameters:
    ///   - path: the path of the store.
    ///   - followsLinks: whether a symbolic link is followed to its store; false to refuse it.
    ///   - options: how operations are done.
    /// - Throws: `StoreError` if the store does not exist.
    public init(path: String, followsLinks: Bool, options: Options = Options()) throws(StoreError) {
        if !followsLinks, FileSystem.isLink(path) {
            throw StoreError(FileError(.open, path, number: ELOOP))
        }
        files = StoreFiles(followingLinks: path)
        self.options = options
        let parts = [files.supportDirectory] + files.sidecars
        let isLeftover = !FileSystem.isThere(path) && parts.contains(where: FileSystem.isThere)
        type = isLeftover ? nil : try StoreType(ofStoreAt: files.path)
    }

    func checkpoint(_ name: String) { options.onCheckpoint?(name) }

    /// Returns other stores that use the same folder for external data: their names differ only in the extension.
    func sharers(of files: StoreFiles) -> [String] {
        guard FileSystem.isDirectory(files.supportDirectory) else { return [] }
        let names = (try? FileSystem.names(in: files.directory)) ?? []
        return names.filter { name in
            let other = StoreFiles(files.directory + "/" + name)
            return name != files.name && other.supportDirectory == files.supportDirectory
                && (try? StoreType(ofStoreAt: other.path)) != nil
        }
    }
}
