public import ManagedObjectModels
public import PersistentStores

/// Finds the model version with which a store was made, by its version hashes.
public enum VersionRecognition {
    /// Returns the first version with exactly the store's hashes; nil if there is none.
    public static func version(of metadata: StoreMetadata, among versions: [VersionedModel]) -> VersionedModel? {
        let hashes = metadata.versionHashes
        return versions.first { $0.hashes == hashes }
    }

    /// Returns the differences between the store and the most similar version.
    ///
    /// - Parameters:
    ///   - metadata: the store's metadata.
    ///   - versions: the versions to compare with.
    ///   - own: the model in the store, if it has the store's hashes.
    public static func unknown(
        _ metadata: StoreMetadata, among versions: [VersionedModel], own: ResolvedModel? = nil
    ) -> UnknownVersion {
        let hashes = metadata.versionHashes
        func matches(_ version: VersionedModel) -> Int {
            hashes.count { version.hashes[$0.key] == $0.value }
        }
        func distance(_ version: VersionedModel) -> Int {
            hashes.count + version.hashes.count - 2 * matches(version)
        }
        guard let nearest = versions.min(by: { distance($0) < distance($1) }) else {
            return UnknownVersion(nearest: nil, differences: [], matching: 0, entityCount: hashes.count)
        }
        var result = UnknownVersion(
            nearest: nearest.name, differences: differences(metadata, to: nearest, own: own),
            matching: matches(nearest),
            entityCount: hashes.count)
        // The path of a version in Swift sources consists of the path of the sources and the version's name.
        let mark = "#" + nearest.name
        if nearest.path.hasSuffix(mark) { result.sources = String(nearest.path.dropLast(mark.count)) }
        return result
    }

    /// Returns the entities that differ, sorted by name.
    ///
    /// - Parameters:
    ///   - metadata: the store's metadata.
    ///   - version: the version to compare with.
    ///   - own: the model in the store, if it has the store's hashes.
    public static func differences(
        _ metadata: StoreMetadata, to version: VersionedModel, own: ResolvedModel? = nil
    ) -> [UnknownVersion.Difference] {
        let hashes = metadata.versionHashes
        let search = DeclarationSearch(
            entities: hashes.count { name, hash in version.hashes[name].map { $0 != hash } ?? false })
        let stored = own.map { ModelHashes.propertyHashes(of: $0) }
        let declared = own.map { _ in ModelHashes.propertyHashes(of: version.model) }
        return Set(hashes.keys).union(version.hashes.keys).sorted().compactMap { name in
            switch (hashes[name], version.hashes[name]) {
            case (let store?, let model?):
                guard store != model else { return nil }
                if let change = search.change(of: name, in: version.model.model, giving: store) {
                    return .otherHash(name, change: change)
                }
                let change = stored?[name].flatMap { stored in
                    declared?[name].flatMap { PropertyDifferences(stored: stored, declared: $0).description }
                }
                return .otherHash(name, change: change)
            case (_?, nil): return .onlyInStore(name)
            case (nil, _): return .onlyInModel(name)
            }
        }
    }
}
