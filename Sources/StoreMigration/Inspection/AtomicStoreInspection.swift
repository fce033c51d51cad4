import ManagedObjectModels
import PersistentStores
import StoreConversion

/// The metadata of an XML or binary store; its objects are counted if its model is known.
public struct AtomicStoreInspection: Sendable, Encodable {
    /// An entity in the store's hashes.
    public struct Entity: Sendable, Encodable {
        /// The entity's name.
        public let name: String
        /// The number of its objects, without those of its subentities; nil if the model is not known.
        public let objects: Int64?
        /// The version hash in the store's metadata, 64 hexadecimal digits; nil if there is none.
        public let versionHash: String?
    }

    /// The path of the store.
    public let path: String
    /// The type of the store, such as `XML`.
    public let type: String
    /// The store's UUID.
    public let uuid: String
    /// The size of the file, in bytes.
    public let fileSize: Int64
    /// The version of Core Data that wrote the store; nil if the metadata do not contain it.
    public let frameworkVersion: Int64?
    /// The identifiers that the model's developer has given to the version.
    public let versionIdentifiers: [String]
    /// The keys of the metadata that do not belong to Core Data.
    public let customMetadataKeys: [String]
    /// The entities, sorted by name.
    public let entities: [Entity]
    /// The version with the store's hashes; nil if there is none, or if no versions were given.
    public let version: String?
    /// The path of the version with the store's hashes; nil if there is none.
    public let versionPath: String?

    /// Reads the store's metadata, and counts its objects.
    /// - Throws: `StoreError`, and the errors of reading the objects.
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
    /// The inspection for users; the wording may change.
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
