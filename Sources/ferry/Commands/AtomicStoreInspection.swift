import ManagedObjectModels
import PersistentStores
import StoreConversion
import StoreMigration

/// What an XML or binary store says of itself; its objects are counted where its model is known.
struct AtomicStoreInspection: Encodable {
    struct Entity: Encodable {
        let name: String
        let objects: Int64?
        let versionHash: String?
    }

    let path: String
    let type: String
    let uuid: String
    let fileSize: Int64
    let frameworkVersion: Int64?
    let versionIdentifiers: [String]
    let customMetadataKeys: [String]
    let entities: [Entity]
    /// The version that has the store's hashes; nil if none has, or none was named.
    let version: String?
    let versionPath: String?

    init(path: String, catalog: VersionCatalog) throws {
        let registry = PersistentStoreRegistry.standard
        let metadata = try registry.metadata(at: path)
        let found = try? StoreVersion.version(of: path, in: catalog, named: nil, registry: registry)
        var counts: [String: Int64]?
        if let found {
            let reader = try StoreConverter.Source(path: path, model: found.model)
                .reader(in: registry, findings: ConversionFindings())
            var bySlot = [Int64](repeating: 0, count: found.model.entities.count)
            var object = StoredObject()
            while try reader.next(&object) { bySlot[object.slot] += 1 }
            counts = Dictionary(uniqueKeysWithValues: found.model.entities.map { ($0.name, bySlot[$0.slot]) })
        }
        self.path = path
        type = try registry.type(at: path).name
        uuid = metadata.uuid
        fileSize = FileSystem.size(path) ?? 0
        frameworkVersion = metadata.frameworkVersion
        versionIdentifiers = metadata.versionIdentifiers
        customMetadataKeys = metadata.customKeys
        entities = metadata.versionHashes.sorted { $0.key < $1.key }.map { name, hash in
            Entity(name: name, objects: counts?[name], versionHash: VersionHash(bytes: hash)?.hex)
        }
        version = found?.name
        versionPath = found?.path
    }
}

extension AtomicStoreInspection: CustomStringConvertible {
    var description: String {
        var lines = ["Store \(path)"]
        var facts = TextColumns()
        facts.add("type", type)
        facts.add("UUID", uuid)
        facts.add("size", Quantity.bytes(fileSize))
        if let frameworkVersion { facts.add("Core Data", "framework version \(frameworkVersion)") }
        let identifiers = versionIdentifiers.filter { !$0.isEmpty }
        if !identifiers.isEmpty { facts.add("identifiers", identifiers.joined(separator: ", ")) }
        if !customMetadataKeys.isEmpty { facts.add("metadata", customMetadataKeys.joined(separator: ", ")) }
        if let version, let versionPath { facts.add("version", "\(version) (\(versionPath))") }
        lines += facts.lines()
        lines.append("Entities")
        var columns = TextColumns(rightAligned: [1])
        columns.add("entity", "objects", "version hash")
        for entity in entities {
            columns.add(entity.name, entity.objects.map(Quantity.count) ?? "?", entity.versionHash ?? "")
        }
        return (lines + columns.lines()).joined(separator: "\n") + "\n"
    }
}
