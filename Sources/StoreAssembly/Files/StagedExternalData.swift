public import PersistentStores

/// The files of large values of a new store, made beside their place until the store is whole
/// (docs/format/sqlite-store.md#external-binary-data).
///
/// The folder takes its place before the store does, with a mark in it; the mark goes when the store is there. A folder
/// with a mark and without a store was left by a run that was killed.
public final class StagedExternalData {
    private let final: StoreFiles
    private let staged: String
    private var isPlaced = false
    /// How many files there are.
    public private(set) var count = 0

    private var mark: String { final.supportDirectory + "/.ferry-convert" }

    /// Prepares the folder; nothing is made yet.
    ///
    /// - Parameters:
    ///   - destination: the path of the new store.
    ///   - isWorking: whether that is a store for this run only, and what is there was left by one that died.
    /// - Throws: `StoreError` where the folder is there and the store is not, or what a killed run left cannot be removed.
    public init(for destination: String, isWorking: Bool = false) throws(StoreError) {
        final = StoreFiles(destination)
        staged = final.supportDirectory + ".ferry-staging"
        do throws(FileError) {
            try FileSystem.remove(staged)
            if isWorking || FileSystem.exists(mark) && !FileSystem.exists(destination) {
                try FileSystem.remove(final.supportDirectory)
            }
        } catch {
            throw StoreError(error)
        }
        if FileSystem.isThere(final.supportDirectory), !FileSystem.exists(destination) {
            throw StoreError(.exists, path: final.supportDirectory)
        }
    }

    deinit {
        try? FileSystem.remove(staged)
        if isPlaced { try? FileSystem.remove(final.supportDirectory) }
    }

    /// Appends what the column holds for a value: itself behind a tag, or the name of a file that now has it.
    ///
    /// - Parameters:
    ///   - bytes: the value.
    ///   - name: the name of the file, a UUID in upper case; asked for only where there is one.
    ///   - column: what is appended to.
    /// - Throws: `StoreError` if the file cannot be written.
    public func add(
        _ bytes: ArraySlice<UInt8>, named name: () -> String, to column: inout [UInt8]
    ) throws(StoreError) {
        guard bytes.count > ExternalData.largestInline else {
            column.append(1)
            column += bytes
            return
        }
        let name = name()
        do throws(FileError) {
            if count == 0 {
                try FileSystem.createPrivateDirectory(staged)
                try FileSystem.createDirectory(staged + "/_EXTERNAL_DATA")
            }
            count += 1
            try FileSystem.writeFile(Array(bytes), to: staged + "/_EXTERNAL_DATA/" + name)
        } catch {
            throw StoreError(error)
        }
        column.append(2)
        column += name.utf8
        column.append(0)
    }

    /// Gives the folder its place, with the owner, group and permissions that the store has; the store follows.
    /// - Throws: `StoreError` if the folder cannot be renamed or synchronized.
    public func place(like store: String) throws(StoreError) {
        guard count > 0 else { return }
        do throws(FileError) {
            try FileSystem.writeFile([], to: staged + "/.ferry-convert")
            try FileRights(of: store)?.give(toAllIn: staged)
            try FileSystem.synchronize(staged + "/_EXTERNAL_DATA")
            try FileSystem.synchronize(staged)
            try FileSystem.rename(staged, to: final.supportDirectory)
            isPlaced = true
            try FileSystem.synchronize(final.directory)
        } catch {
            throw StoreError(error)
        }
    }

    /// The store is there: the folder is its own.
    public func keep() {
        isPlaced = false
        try? FileSystem.remove(mark)
    }
}
