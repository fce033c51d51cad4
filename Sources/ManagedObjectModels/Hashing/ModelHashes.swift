import TextEncodings

/// Version hashes by the rule that Core Data stores show (NSStoreModelVersionHashesVersion 3,
/// docs/format/version-hashes.md).
public enum ModelHashes {
    /// The hash of every entity, by slot.
    public static func entityHashes(of model: ResolvedModel) -> [EntityHash] {
        var hasher = EntityHasher(model)
        return hasher.hashes()
    }

    /// The hashes of each entity's stored properties by name, inherited ones included: what the entity's hash is of.
    public static func propertyHashes(of model: ResolvedModel) -> [String: [String: VersionHash]] {
        var hasher = EntityHasher(model)
        return hasher.propertyHashes()
    }

    /// The hashes by entity name, as a store's metadata has them.
    public static func hashes(of model: ResolvedModel) -> [String: VersionHash] {
        Dictionary(entityHashes(of: model).map { ($0.entityName, $0.hash) }, uniquingKeysWith: { first, _ in first })
    }

    /// `NSStoreModelVersionHashesDigest`: base 64 of the SHA-512 of all names and hashes, in the order of the names.
    public static func digest(of hashes: [String: VersionHash]) -> String {
        var message: [UInt8] = []
        for (name, hash) in sorted(hashes) {
            message += Array(name.utf8)
            message += hash.bytes
        }
        return Base64.encode(sha512(message))
    }

    /// `NSStoreModelVersionChecksumKey`: base 64 of the SHA-256 of all hashes, in the order of the names.
    public static func checksum(of hashes: [String: VersionHash]) -> String {
        var digest = MessageDigest256()
        for (_, hash) in sorted(hashes) { digest.update(hash.bytes) }
        return Base64.encode(digest.finish())
    }

    private static func sorted(_ hashes: [String: VersionHash]) -> [(key: String, value: VersionHash)] {
        hashes.sorted { ModelResolver.precedes($0.key, $1.key) }
    }
}
