public import ManagedObjectModels

/// The hashes of a version in its shipped state.
public struct FrozenVersion: Sendable, Hashable {
    /// An entity with its hash and those of its properties, including inherited ones.
    public struct Entity: Sendable, Hashable {
        /// The entity's name.
        public let name: String
        /// The entity's version hash, which stores record.
        public let hash: VersionHash
        /// The version hashes of the entity's properties, by their names.
        public let properties: [String: VersionHash]
    }

    /// The name of the version, with its bundle's if several bundles have a version with that name.
    public let name: String

    /// The entities, by name.
    public let entities: [Entity]

    init(name: String, entities: [Entity]) {
        self.name = name
        self.entities = entities
    }

    /// Computes the current hashes of a version.
    /// - Throws: `ModelError` if it cannot be read.
    public init(_ version: ModelVersion, name: String) throws(ModelError) {
        let model = try ResolvedModel(version.model())
        let properties = ModelHashes.propertyHashes(of: model)
        self.name = name
        entities = ModelHashes.entityHashes(of: model).map {
            Entity(name: $0.entityName, hash: $0.hash, properties: properties[$0.entityName] ?? [:])
        }.sorted { $0.name < $1.name }
    }
}
