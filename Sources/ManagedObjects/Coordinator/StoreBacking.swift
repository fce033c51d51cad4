import PersistentStores
import SQLiteAccess
import StoreConversion

/// The temporary SQLite store of a store that is read and written as a whole, or is in memory.
final class StoreBacking {
    let workingPath: String
    private let working: WorkingStore?
    private let folder: TemporaryFolder?
    private let newStore: NewStore

    /// A store in a file.
    init(of path: String, _ newStore: NewStore, registry: PersistentStoreRegistry) throws {
        self.newStore = newStore
        let working = try WorkingStore(of: path, newStore, registry: registry, keepsFaults: true)
        try working.checkFaithfulness()
        workingPath = working.path
        self.working = working
        folder = nil
    }

    /// An empty store that is gone with this value.
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

    /// Makes the file of what the SQLite store has become.
    func writeBack() throws {
        try working?.writeBack(newStore, keepsKeys: true)
    }
}
