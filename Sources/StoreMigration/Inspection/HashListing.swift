import KeyedArchives
import ManagedObjectModels
public import PersistentStores

/// The version hashes of models as Core Data computes them, or those in the metadata of a store.
public struct HashListing: Sendable, Codable {
    /// An entity with its hash.
    public struct Entity: Sendable, Codable {
        /// The entity's name.
        public let name: String

        /// The version hash as 64 hexadecimal digits.
        public let versionHash: String

        /// The version hash in Base64, as in XML stores and property lists.
        public let base64: String

        /// The reason why the hash is not certain; nil if it is.
        public let doubt: String?
    }

    /// A version with the hashes of its entities.
    public struct Version: Sendable, Codable {
        /// The version's name; for a store, the name of its file.
        public let name: String
        /// The path of the version or of the store.
        public let path: String
        /// Whether it is the current version, which new stores get.
        public let isCurrent: Bool

        /// The digest of all hashes, `NSStoreModelVersionHashesDigest`.
        public let digest: String

        /// `NSStoreModelVersionChecksumKey`, and `NSManagedObjectModel_VersionChecksums` of a `VersionInfo.plist`.
        public let checksum: String

        /// The entities, sorted by name.
        public let entities: [Entity]

        /// The reason why the version cannot be used; nil if it can.
        public let error: String?
    }

    /// The versions, in the order of the catalog.
    public let versions: [Version]

    /// Creates a list of the hashes of all versions, or of one version. With all versions, those that cannot be read
    /// are listed with the reason.
    ///
    /// - Parameters:
    ///   - catalog: the available versions.
    ///   - name: the version whose hashes are listed; nil for all.
    ///   - configuration: the configuration of the model to use; nil for the whole model.
    /// - Throws: the errors of reading the version that is specified.
    public init(_ catalog: VersionCatalog, versionNamed name: String? = nil, configuration: String? = nil) throws {
        func listed(_ version: ModelVersion) throws -> Version {
            let whole = try catalog.versionedModel(version)
            let part = try configuration.map { try whole.restricted(to: $0) } ?? whole
            return Self.version(part, isCurrent: version.isCurrent)
        }
        if let name {
            versions = [try listed(catalog.version(named: name))]
            return
        }
        versions = catalog.versions.map { version in
            defer { catalog.forget(version) }
            do {
                return try listed(version)
            } catch {
                return Version(
                    name: version.name, path: version.path, isCurrent: version.isCurrent, digest: "", checksum: "",
                    entities: [], error: "\(error)")
            }
        }
    }

    /// Creates a list of the hashes in a store. Digest and checksum are computed from them, because old stores have
    /// neither.
    public init(of store: SQLiteStore) {
        let hashes = store.metadata.versionHashes.compactMapValues { VersionHash(bytes: $0) }
        let entities = hashes.sorted { $0.key < $1.key }.map { name, hash in
            Entity(name: name, versionHash: hash.hex, base64: hash.base64, doubt: nil)
        }
        versions = [
            Version(
                name: FileSystem.name(of: store.files.path), path: store.files.path, isCurrent: true,
                digest: ModelHashes.digest(of: hashes), checksum: ModelHashes.checksum(of: hashes), entities: entities,
                error: nil)
        ]
    }

    private static func version(_ loaded: VersionedModel, isCurrent: Bool) -> Version {
        let entities = loaded.hashes.sorted { $0.key < $1.key }.map { name, bytes in
            let hash = VersionHash(bytes: bytes)
            return Entity(
                name: name, versionHash: hash?.hex ?? "", base64: hash?.base64 ?? "",
                doubt: loaded.unprovenHashes[name])
        }
        return Version(
            name: loaded.name, path: loaded.path, isCurrent: isCurrent, digest: loaded.digest,
            checksum: loaded.checksum, entities: entities, error: nil)
    }

    /// Whether a version cannot be read, or a hash is not certain.
    public var hasFindings: Bool {
        versions.contains { $0.error != nil || $0.entities.contains { $0.doubt != nil } }
    }
}

extension HashListing: CustomStringConvertible {
    /// The listing for users.
    public var description: String {
        versions.map(Self.text).joined(separator: "\n")
    }

    private static func text(_ version: Version) -> String {
        var lines = ["Version \(version.name)\(version.isCurrent ? ", current" : "") (\(version.path))"]
        if let error = version.error { return lines[0] + "\n  error: \(error)\n" }
        lines.append("  digest    \(version.digest)")
        lines.append("  checksum  \(version.checksum)")
        var columns = TextColumns()
        columns.add("entity", "version hash", "in base 64")
        for entity in version.entities { columns.add(entity.name, entity.versionHash, entity.base64) }
        lines += columns.lines()
        for entity in version.entities {
            if let doubt = entity.doubt { lines.append("  uncertain: \(entity.name), as \(doubt)") }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
