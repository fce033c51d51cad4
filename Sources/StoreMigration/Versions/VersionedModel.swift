public import ManagedObjectModels
public import PersistentStores

/// A model version ready for migration: its name, its resolved model, and its version hashes.
public struct VersionedModel: Sendable {
    /// The version's name, as Xcode shows it.
    public let name: String

    /// Where it was read from.
    public let path: String

    /// The model, with inherited properties resolved.
    public let model: ResolvedModel

    /// The version hash of each entity, 32 bytes.
    public let hashes: [String: [UInt8]]

    /// The digest over all hashes, `NSStoreModelVersionHashesDigest`.
    public let digest: String

    /// The checksum of the version, `NSStoreModelVersionChecksumKey`.
    public let checksum: String

    /// Entities whose hash rests on a rule that is not established, with the feature that causes it.
    public let unprovenHashes: [String: String]

    /// The configuration that a store of the version holds objects of; nil for all.
    public let configuration: String?

    /// Whether the model is cut down to the configuration, as former stores of one are.
    public var isPart = false

    /// The paths of other versions with the same hashes, among which this one was chosen.
    public var alternatives: [String] = []

    /// Makes a version of what is known of it; hashes are not computed.
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
    ///   - path: where the model was read from.
    ///   - model: the model, with inherited properties resolved.
    ///   - known: hashes from Core Data itself, which stand in where the rule is not established.
    ///   - doubts: why hashes of entities are not certain beyond what the model tells.
    ///   - configuration: the configuration that a store of the version holds objects of; nil for all.
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

    /// The same version with the hashes of a store that has them, for entities that are the same in the store's
    /// version.
    public func adopting(_ metadata: StoreMetadata, from source: VersionedModel) -> VersionedModel {
        guard !unprovenHashes.isEmpty else { return self }
        let stored = metadata.versionHashes
        var known: [String: VersionHash] = [:]
        for name in unprovenHashes.keys where source.hashes[name] == hashes[name] {
            // Equal under one rule, whatever the rule: then what Core Data made of the one holds for the other.
            known[name] = stored[name].flatMap { VersionHash(bytes: $0) }
        }
        guard !known.isEmpty else { return self }
        return VersionedModel(name: self.name, path: path, model: model, known: known, configuration: configuration)
    }
    /// What a new store of the version is made of; its UUID is for the caller to give.
    public var newStore: NewStore {
        var result = NewStore(model: model, hashes: hashes, digest: digest, checksum: checksum, uuid: "")
        if let configuration {
            result.objectEntities = model.model.configurations.first { $0.name == configuration }
                .map { Set($0.entityNames) }
        }
        return result
    }
}
