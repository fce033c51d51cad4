import FoundationEssentials
import Glibc
import PersistentStores

/// The files of large values of a new store, made beside their place until the store is whole
/// (docs/format/sqlite-store.md#external-binary-data).
///
/// The folder takes its place before the store does, with a mark in it; the mark goes when the store is there. A folder
/// with a mark and without a store was left by a run that was killed.
final class StagedExternalData {
    private let final: StoreFiles
    private let staged: String
    private var isPlaced = false
    private var count = 0

    private var mark: String { final.supportDirectory + "/.ferry-convert" }

    /// - Parameters:
    ///   - destination: the path of the new store.
    ///   - isWorking: whether that is a store for this run only, and what is there was left by one that died.
    init(for destination: String, isWorking: Bool) throws(StoreError) {
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

    /// Writes a value, and returns what the column holds instead.
    func add(_ bytes: ArraySlice<UInt8>) throws(StoreError) -> [UInt8] {
        let name = UUID().uuidString
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
        return [2] + Array(name.utf8) + [0]
    }

    /// Gives the folder its place, with the owner, group and permissions that the store has; the store follows.
    func place(like store: String) throws(StoreError) {
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
    func keep() {
        isPlaced = false
        try? FileSystem.remove(mark)
    }
}
