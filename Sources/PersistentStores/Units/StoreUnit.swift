import Glibc

/// A store as one unit: its main file, its log and journal, and its folder with external data.
///
/// A run that is killed loses nothing: until a store has its new place, and external data with it, the old one is
/// whole.
public struct StoreUnit {
    /// The paths of the store's files.
    public let files: StoreFiles

    /// The type of the store; nil if only parts of a store are left, of which a removal was killed.
    public let type: StoreType?

    /// How an operation is done.
    public struct Options {
        /// Whether a store at the destination is replaced.
        public var isReplacing = false
        /// How long to wait for another process' lock, in milliseconds.
        public var timeout: Int32 = LockTimeout.milliseconds
        /// Asked now and then; true ends the work, and nothing has changed.
        public var isCancelled: (() -> Bool)?
        /// Told after each step that leaves something else on disk.
        public var onCheckpoint: ((String) -> Void)?

        /// Makes options: nothing is replaced, and locks are waited for as long as usual.
        public init() {}
    }

    let options: Options

    /// Takes hold of a store.
    /// - Parameters:
    ///   - path: the path of the store.
    ///   - followsLinks: whether a symbolic link stands for the store that it leads to; else it is refused.
    ///   - options: how operations are done.
    /// - Throws: `StoreError` where there is no store.
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

    /// Other stores that use the same folder for external data: their names differ in the extension only.
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
