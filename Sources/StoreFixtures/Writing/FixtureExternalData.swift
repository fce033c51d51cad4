import PersistentStores
import TextEncodings

/// The files of large binary values, made beside their final place until the store is whole.
final class FixtureExternalData {
    private let destination: StoreFiles
    private let staging: String
    private(set) var count = 0

    /// - Throws: `StoreError` where the store's folder for such files is there already.
    init(store path: String) throws(StoreError) {
        destination = StoreFiles(path)
        staging = destination.supportDirectory + ".ferry-staging"
        guard !FileSystem.isThere(destination.supportDirectory) else {
            throw StoreError(.exists, path: destination.supportDirectory)
        }
        try remove()
    }

    /// What the column holds for a value (docs/format/sqlite-store.md#external-binary-data): itself behind a tag, or
    /// the name of a file that now has it.
    func stored(_ bytes: [UInt8], named uuid: [UInt8]) throws(StoreError) -> [UInt8] {
        guard bytes.count > ExternalData.largestInline else { return [1] + bytes }
        let name = UUIDText.text(uuid)
        do {
            if count == 0 {
                try FileSystem.createPrivateDirectory(staging)
                try FileSystem.createDirectory(staging + "/_EXTERNAL_DATA")
            }
            try FileSystem.writeFile(bytes, to: staging + "/_EXTERNAL_DATA/" + name)
        } catch {
            throw StoreError(error)
        }
        count += 1
        return [2] + Array(name.utf8) + [0]
    }

    /// Gives the folder its name, and the owner, group and permissions that the store has.
    func finish(like store: String) throws(StoreError) {
        guard count > 0 else { return }
        do {
            try FileRights(of: store)?.give(toAllIn: staging)
            try FileSystem.rename(staging, to: destination.supportDirectory)
        } catch {
            throw StoreError(error)
        }
    }

    /// Removes what was made, and what a run left that was killed.
    func remove() throws(StoreError) {
        guard FileSystem.isThere(staging) else { return }
        do {
            try FileSystem.remove(staging)
        } catch {
            throw StoreError(error)
        }
    }

    /// Takes the folder back where the store cannot take its place.
    func takeBack() {
        try? FileSystem.remove(destination.supportDirectory)
    }
}
