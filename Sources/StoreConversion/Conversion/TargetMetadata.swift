import FoundationEssentials
import KeyedArchives
import PersistentStores

extension StoreMetadata {
    /// Returns the metadata of a store that is converted from one with this metadata: the type and the model hashes are
    /// those of the new store, and all other entries are copied.
    func converted(
        to type: PersistentStoreType, of newStore: NewStore, keepsUUID: Bool, _ pragmas: StorePragmas
    ) -> StoreMetadata {
        var result = self
        result.uuid = keepsUUID && !uuid.isEmpty ? uuid : UUID().uuidString
        for key in [Key.storeType, Key.storeUUID, Key.autoVacuumLevel] { result.entries[key] = nil }
        result.versionHashes = newStore.metadata.versionHashes
        for key in [Key.versionHashesVersion, Key.versionHashesDigest, Key.versionChecksum] {
            result.entries[key] = newStore.metadata.entries[key]
        }
        for key in [Key.versionIdentifiers, Key.frameworkVersion] where result.entries[key] == nil {
            result.entries[key] = newStore.metadata.entries[key]
        }
        result.entries[Key.storeType] = .string(type.name)
        if type == .sqlite {
            let level = pragmas[.autoVacuum].flatMap { StorePragma.autoVacuum.number(of: $0) } ?? 2
            // A store without auto-vacuum may have an entry for it, or none.
            result.entries[Key.autoVacuumLevel] =
                level == 0 ? entries[Key.autoVacuumLevel].map { _ in .string("0") } : .string("\(level)")
        }
        return result
    }
}
