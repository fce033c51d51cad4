import ManagedObjectModels
import PersistentStores
import StoreConversion

/// What an XML or binary store says of itself; its objects are counted where its model is known.
public struct AtomicStoreInspection: Sendable, Encodable {
    public struct Entity: Sendable, Encodable {
        public let name: String
        public let objects: Int64?
        public let versionHash: String?
    }

    public let path: String
    public let type: String
    public let uuid: String
    public let fileSize: Int64
    public let frameworkVersion: Int64?
    public let versionIdentifiers: [String]
    public let customMetadataKeys: [String]
    public let entities: [Entity]
    /// The version that has the store's hashes; nil if none has, or none was named.
    public let version: String?
    public let versionPath: String?

    /// Reads the store's metadata, and counts its objects.
    /// - Throws: `StoreError`, and what reading its objects throws.
    public init(path: String, catalog: VersionCatalog) throws {
        let registry = PersistentStoreRegistry.standard
        let metadata = try registry.metadata(at: path)
        let found = try? catalog.sourceVersion(ofStoreAt: path)
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
    /// Lines for people; their wording may change.
    public var description: String {
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
