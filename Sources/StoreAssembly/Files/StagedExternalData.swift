public import PersistentStores

/// The files of large values of a new store, which are created beside their final place until the store is complete
/// (docs/format/sqlite-store.md#external-binary-data).
///
/// The folder is moved to its final place before the store is, and contains a marker file until the store is there. A
/// folder with a marker and without a store was left by a run that was killed.
public final class StagedExternalData {
    private let final: StoreFiles
    private let staged: String
    private var isPlaced = false
    /// The number of files.
    public private(set) var count = 0

    private var mark: String { final.supportDirectory + "/.ferry-convert" }

    /// Prepares the folder, but does not create it yet.
    ///
    /// - Parameters:
    ///   - destination: the path of the new store.
    ///   - isWorking: whether the store is only for this run, so that an existing folder was left by a run that was
    ///     killed.
    /// - Throws: `StoreError` if the folder exists and the store does not, or if files that a killed run left cannot be
    ///   removed.
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

    /// Appends the content of the column for a value: the value itself after a tag, or the name of a file to which the
    /// value is written.
    ///
    /// - Parameters:
    ///   - bytes: the value.
    ///   - name: returns the name of the file, a UUID in upper case; called only if a file is written.
    ///   - column: the content of the column, to which bytes are appended.
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

    /// Moves the folder to its final place, with the owner, group and permissions of the store. The store must be moved
    /// next.
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

    /// Keeps the folder, because the store is now there, and removes the marker.
    public func keep() {
        isPlaced = false
        try? FileSystem.remove(mark)
    }
}
