import PersistentStores
import SQLiteAccess
import StoreConversion

/// Converts a store of a coordinator to another type.
struct StoreMigrationRun {
    private let store: PersistentStore
    private let path: String
    private let type: PersistentStoreType
    private let newStore: NewStore
    private let registry: PersistentStoreRegistry

    init(
        of store: PersistentStore, to path: String, _ type: PersistentStoreType, _ newStore: NewStore,
        _ registry: PersistentStoreRegistry
    ) {
        self.store = store
        self.path = path
        self.type = type
        self.newStore = newStore
        self.registry = registry
    }

    /// Returns the new IDs of the objects by the old ones; empty if all keep their IDs.
    func run() throws -> [ManagedObjectID: ManagedObjectID] {
        do {
            try convert(keepingIDs: true, idMap: nil)
            return [:]
        } catch let error as ConversionError {
            // Objects of two tables have the same key, but the new type has a single sequence of keys.
            guard case .sharedKey = error.code else { throw error }
        }
        let folder: TemporaryFolder
        do {
            folder = try TemporaryFolder(kind: "ferry-store-")
        } catch {
            throw StoreError(FileError(.create, error.parent, number: error.number))
        }
        let map = folder.path + "/ids.csv"
        try convert(keepingIDs: false, idMap: map)
        return try ids(map)
    }

    private func convert(keepingIDs: Bool, idMap: String?) throws {
        var options = ConversionOptions()
        options.keepsIDs = keepingIDs
        options.idMap = idMap
        options.registry = registry
        _ = try StoreConverter(
            sources: [.init(path: store.workingPath, model: newStore.layout.model)],
            target: .init(path: path, type: type, newStore: newStore), options: options
        ).convert()
    }

    /// Returns the map of IDs. Its file has a line for each object: the store, the entity, the old key and the new one.
    private func ids(_ path: String) throws -> [ManagedObjectID: ManagedObjectID] {
        let text = String(
            decoding: try FileSystem.contents(of: path, upTo: Int(FileSystem.size(path) ?? 0)), as: UTF8.self)
        var result: [ManagedObjectID: ManagedObjectID] = [:]
        for line in text.split(separator: "\n") {
            let cells = line.split(separator: ",", omittingEmptySubsequences: false)
            guard cells.count >= 4, let old = Int64(cells[cells.count - 2]), let new = Int64(cells[cells.count - 1])
            else { continue }
            let entity = String(cells[cells.count - 3])
            result[ManagedObjectID(storeUUID: store.uuid, entityName: entity, primaryKey: old)] =
                ManagedObjectID(storeUUID: store.uuid, entityName: entity, primaryKey: new)
        }
        return result
    }
}
