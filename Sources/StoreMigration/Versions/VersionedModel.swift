public import ManagedObjectModels
public import PersistentStores

/// A model version that is ready for migration, with its name, its resolved model, and its version hashes.
public struct VersionedModel: Sendable {
    /// The version's name, as Xcode shows it.
    public let name: String

    /// The path from which it was read.
    public let path: String

    /// The model, with inherited properties resolved.
    public let model: ResolvedModel

    /// The version hash of each entity, 32 bytes.
    public let hashes: [String: [UInt8]]

    /// The digest of all hashes, `NSStoreModelVersionHashesDigest`.
    public let digest: String

    /// The checksum of the version, `NSStoreModelVersionChecksumKey`.
    public let checksum: String

    /// The entities whose hashes depend on a rule that is not established, with the feature that requires the rule.
    public let unprovenHashes: [String: String]

    /// The configuration whose objects a store of the version contains; nil for all.
    public let configuration: String?

    /// Whether the model is restricted to the configuration, as in old stores of one configuration.
    public var isPart = false

    /// The paths of other versions with the same hashes.
    public var alternatives: [String] = []

    /// Creates a version from its properties, without computing hashes.
    public init(
        name: String, path: String, model: ResolvedModel, hashes: [String: [UInt8]], digest: String, checksum: String,
        unprovenHashes: [String: String] = [:], configuration: String? = nil
    ) {
        self.name = name
        self.path = path
        self.model = model
        self.hashes = hashes
        self.digest = digest
        self.checksum = checksum
        self.unprovenHashes = unprovenHashes
        self.configuration = configuration
    }
}

extension VersionedModel {
    /// Computes the hashes of a model.
    ///
    /// - Parameters:
    ///   - name: the version's name.
    ///   - path: the path from which the model was read.
    ///   - model: the model, with inherited properties resolved.
    ///   - known: hashes from Core Data itself, which are used if a rule is not established.
    ///   - doubts: additional reasons why hashes of entities are not certain.
    ///   - configuration: the configuration whose objects a store of the version contains; nil for all.
    public init(
        name: String, path: String, model: ResolvedModel, known: [String: VersionHash] = [:],
        doubts: [String: [String]] = [:], configuration: String? = nil
    ) {
        var hashes: [String: VersionHash] = [:]
        var unproven: [String: String] = [:]
        for entity in ModelHashes.entityHashes(of: model) {
            let reasons = entity.doubts.map(\.description) + (doubts[entity.entityName] ?? [])
            if reasons.isEmpty {
                hashes[entity.entityName] = entity.hash
            } else if let known = known[entity.entityName] {
                hashes[entity.entityName] = known
            } else {
                hashes[entity.entityName] = entity.hash
                unproven[entity.entityName] = reasons.joined(separator: "; ")
            }
        }
        self.init(
            name: name, path: path, model: model, hashes: hashes.mapValues(\.bytes),
            digest: ModelHashes.digest(of: hashes), checksum: ModelHashes.checksum(of: hashes),
            unprovenHashes: unproven, configuration: configuration)
    }

    /// Returns the same version with the hashes of a store, for entities that are equal in the store's version.
    public func adopting(_ metadata: StoreMetadata, from source: VersionedModel) -> VersionedModel {
        guard !unprovenHashes.isEmpty else { return self }
        let stored = metadata.versionHashes
        var known: [String: VersionHash] = [:]
        for name in unprovenHashes.keys where source.hashes[name] == hashes[name] {
            // If the hashes are equal under one rule, they are equal under any other, so the hash from Core Data
            // applies to both.
            known[name] = stored[name].flatMap { VersionHash(bytes: $0) }
        }
        guard !known.isEmpty else { return self }
        return VersionedModel(name: self.name, path: path, model: model, known: known, configuration: configuration)
    }
    /// The description of a new store of the version; the caller must set its UUID.
    public var newStore: NewStore {
        var result = NewStore(model: model, hashes: hashes, digest: digest, checksum: checksum, uuid: "")
        if let configuration {
            result.objectEntities = model.model.configurations.first { $0.name == configuration }
                .map { Set($0.entityNames) }
        }
        return result
    }
}
