import Foundation
import KeyedArchives
import PersistentStores

extension StoreMetadata {
    /// The metadata of a store that is made of one with these: type and UUID are the new one's, hashes its model's, and
    /// whatever else is there goes over.
    func converted(to type: PersistentStoreType, of newStore: NewStore, keepsUUID: Bool) -> StoreMetadata {
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
        if type == .sqlite { result.entries[Key.autoVacuumLevel] = .string("2") }
        return result
    }
}
