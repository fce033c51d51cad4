import KeyedArchives
import ManagedObjectModels
import MappingModels
import PersistentStores
import SQLiteAccess

extension StoreMetadata {
    /// Returns the metadata of the same store at another version.
    func migrated(to version: VersionedModel) -> StoreMetadata {
        var metadata = self
        metadata.versionHashes = version.hashes
        metadata.entries[Key.versionHashesVersion] = .integer(3)
        metadata.entries[Key.versionIdentifiers] = .array(
            version.model.model.versionIdentifiers.map { .string($0) })
        metadata.entries[Key.versionHashesDigest] = .string(version.digest)
        metadata.entries[Key.versionChecksum] = .string(version.checksum)
        metadata.entries[Key.storeType] = .string("SQLite")
        return metadata
    }
}

extension MigrationPlanner {
    func maximumKeys(_ correspondence: ModelCorrespondence, _ layout: StoreLayout) -> [String: Int64] {
        let records = Dictionary(store.entityRecords.map { ($0.number, $0.maximumKey) }, uniquingKeysWith: max)
        var result: [String: Int64] = [:]
        for root in destination.model.rootSlots {
            for slot in destination.model.entities[root].subtree {
                guard let old = correspondence.sourceSlot[slot] else { continue }
                let hierarchy = source.model.entities[source.model.entities[old].root].subtree
                let maximum = hierarchy.map { records[layout.entityNumbers[$0]] ?? 0 }.max() ?? 0
                let name = destination.model.entities[root].name
                result[name] = max(result[name] ?? 0, maximum)
            }
        }
        return result
    }
}
