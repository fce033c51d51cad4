/// The parts from which an entity's hash is computed.
struct EntityHashParts {
    let name: String
    let isAbstract: Bool
    let superentity: VersionHash?
    /// The stored properties, including inherited ones, sorted by name, each with the 32 bytes of its hash.
    let properties: [(name: String, hash: [UInt8])]
    let modifier: String?
    /// The properties of each uniqueness constraint, joined by a dot.
    let constraints: [String]

    static func constraints(_ names: [[String]]) -> [String] {
        names.map { $0.joined(separator: ".") }
    }

    /// Returns H(entity): name, abstractness, the superentity's hash, the properties' hashes by name, modifier,
    /// constraints.
    ///
    /// - Parameters:
    ///   - changed: replacements for the hashes of properties, by position; nil for an absent property.
    ///   - constraints: the constraints in any order; nil for the entity's own.
    func hash(with changed: [(place: Int, hash: [UInt8]?)] = [], constraints others: [String]? = nil) -> VersionHash {
        var digest = MessageDigest256()
        digest.update(name)
        digest.update(isAbstract ? 1 : 0)
        if let superentity { digest.update(superentity.bytes) }
        for (place, property) in properties.enumerated() {
            if let change = changed.first(where: { $0.place == place }) {
                if let hash = change.hash { digest.update(hash) }
            } else {
                digest.update(property.hash)
            }
        }
        digest.update(modifier ?? "")
        for constraint in (others ?? constraints).sorted(by: ModelResolver.precedes) { digest.update(constraint) }
        return VersionHash(digest.finish())
    }
}
