import PersistentStores
import SQLiteAccess
import StoreConversion

/// The temporary SQLite store for a store that is in memory, or is read and written as a whole.
final class StoreBacking {
    let workingPath: String
    private let working: WorkingStore?
    private let folder: TemporaryFolder?
    private let newStore: NewStore

    /// Makes the working copy of a store in a file.
    init(of path: String, _ newStore: NewStore, registry: PersistentStoreRegistry) throws {
        self.newStore = newStore
        let working = try WorkingStore(of: path, newStore, registry: registry, keepsFaults: true)
        try working.checkFaithfulness()
        workingPath = working.path
        self.working = working
        folder = nil
    }

    /// Makes an empty store that is removed when this object is deallocated.
    init(inMemory newStore: NewStore) throws {
        self.newStore = newStore
        let folder: TemporaryFolder
        do {
            folder = try TemporaryFolder(kind: "ferry-store-")
        } catch {
            throw StoreError(FileError(.create, error.parent, number: error.number))
        }
        workingPath = folder.path + "/memory.sqlite"
        self.folder = folder
        working = nil
    }

    /// Writes the file from the current content of the SQLite store.
    func writeBack() throws {
        try working?.writeBack(newStore, keepsKeys: true)
    }
}
