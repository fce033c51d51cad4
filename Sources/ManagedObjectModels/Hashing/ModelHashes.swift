import TextEncodings

/// Version hashes, computed by the rule that Core Data stores follow (NSStoreModelVersionHashesVersion 3,
/// docs/format/version-hashes.md).
public enum ModelHashes {
    /// Returns the hash of every entity, by slot.
    public static func entityHashes(of model: ResolvedModel) -> [EntityHash] {
        var hasher = EntityHasher(model)
        return hasher.hashes()
    }

    /// Returns the hashes of each entity's stored properties by name, including inherited ones, from which the entity's
    /// hash is computed.
    public static func propertyHashes(of model: ResolvedModel) -> [String: [String: VersionHash]] {
        var hasher = EntityHasher(model)
        return hasher.propertyHashes()
    }

    /// Returns the hashes by entity name, as in a store's metadata.
    public static func hashes(of model: ResolvedModel) -> [String: VersionHash] {
        Dictionary(entityHashes(of: model).map { ($0.entityName, $0.hash) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns `NSStoreModelVersionHashesDigest`: the SHA-512 of all names and hashes in base 64, in the order of the
    /// names.
    public static func digest(of hashes: [String: VersionHash]) -> String {
        var message: [UInt8] = []
        for (name, hash) in sorted(hashes) {
            message += Array(name.utf8)
            message += hash.bytes
        }
        return Base64.encode(sha512(message))
    }

    /// Returns `NSStoreModelVersionChecksumKey`: the SHA-256 of all hashes in base 64, in the order of the names.
    public static func checksum(of hashes: [String: VersionHash]) -> String {
        var digest = MessageDigest256()
        for (_, hash) in sorted(hashes) { digest.update(hash.bytes) }
        return Base64.encode(digest.finish())
    }

    private static func sorted(_ hashes: [String: VersionHash]) -> [(key: String, value: VersionHash)] {
        hashes.sorted { ModelResolver.precedes($0.key, $1.key) }
    }
}
