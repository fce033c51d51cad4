import KeyedArchives
public import PersistentStores
import StoreConversion

extension PersistentStoreCoordinator {
    /// Returns the metadata of a store, as written by the last save or `updateMetadata`: Core Data's own entries, and
    /// those of the program.
    /// - Throws: `ManagedObjectError` with code `storeUnknown` if the coordinator does not have the store; `StoreError` or
    ///   `ConversionError` if they cannot be read.
    public func metadata(of store: PersistentStore) throws -> StoreMetadata {
        try check(store)
        return store.isWorkedOnItself
            ? try StoreMetadata.read(storeAt: store.workingPath) : try options.registry.metadata(at: store.path)
    }

    /// Changes the metadata of a store immediately; entries that the closure does not change stay as they are.
    ///
    /// Programs use them for flags and lists of keywords. Contexts and objects are not affected.
    /// - Parameters:
    ///   - store: one of the coordinator's stores.
    ///   - change: changes the entries of the program; the UUID, and entries whose keys begin with `NS` or `_NS`, are
    ///     reserved for Core Data.
    /// - Throws: `ManagedObjectError` for a store that does not belong to the coordinator or is read-only, and for
    ///   changes of reserved entries; `StoreError` if the store cannot be written, or cannot represent a value; any
    ///   error that the closure throws. The metadata are unchanged in these cases.
    public func updateMetadata(
        of store: PersistentStore, _ change: (inout StoreMetadata) throws -> Void
    ) throws {
        try check(store)
        guard !store.options.isReadOnly else { throw ManagedObjectError(.storeReadOnly(store.path)) }
        var before: StoreMetadata?
        try StoreMetadata.update(storeAt: store.workingPath, timeout: store.options.timeout) { metadata in
            let old = metadata
            try change(&metadata)
            try Self.check(metadata, old)
            before = old
        }
        do {
            try store.writeBack()
        } catch {
            // The file still has the old metadata.
            if let before { _ = try? StoreMetadata.update(storeAt: store.workingPath) { $0 = before } }
            throw error
        }
    }

    private func check(_ store: PersistentStore) throws(ManagedObjectError) {
        guard persistentStores.contains(where: { $0 === store }) else {
            throw ManagedObjectError(.storeUnknown(store.path))
        }
    }

    private static func check(_ new: StoreMetadata, _ old: StoreMetadata) throws(ManagedObjectError) {
        guard new.uuid == old.uuid else { throw ManagedObjectError(.metadataReserved(StoreMetadata.Key.storeUUID)) }
        for key in Set(new.entries.keys).union(old.entries.keys).sorted() where StoreMetadata.isReserved(key) {
            guard new.entries[key] == old.entries[key] else { throw ManagedObjectError(.metadataReserved(key)) }
        }
    }
}
