public import ManagedObjectModels

/// A model version ready for migration: its name, its resolved model, and its version hashes.
public struct VersionedModel: Sendable {
    /// The version's name, as Xcode shows it.
    public let name: String

    /// Where it was read from.
    public let path: String

    public let model: ResolvedModel

    /// The version hash of each entity, 32 bytes.
    public let hashes: [String: [UInt8]]

    /// `NSStoreModelVersionHashesDigest`.
    public let digest: String

    /// `NSStoreModelVersionChecksumKey`.
    public let checksum: String

    /// Entities whose hash rests on a rule that is not established, with the feature that causes it.
    public let unprovenHashes: [String: String]

    public init(
        name: String, path: String, model: ResolvedModel, hashes: [String: [UInt8]], digest: String, checksum: String,
        unprovenHashes: [String: String] = [:]
    ) {
        self.name = name
        self.path = path
        self.model = model
        self.hashes = hashes
        self.digest = digest
        self.checksum = checksum
        self.unprovenHashes = unprovenHashes
    }
}
