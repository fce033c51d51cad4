extension ModelVersion {
    /// Returns warnings for entities whose hash in the bundle's `VersionInfo.plist` differs from the model's.
    ///
    /// Only if the rule for the hash is confirmed: otherwise the list is more reliable.
    public func contradictions(to lists: [KnownModelHashes], model: ResolvedModel) -> [ModelWarning] {
        guard let list = lists.first(where: { $0.bundlePath == bundle?.path && $0.versionName == name }) else {
            return []
        }
        return ModelHashes.entityHashes(of: model).compactMap { entity in
            guard entity.isProven, let listed = list.hashes[entity.entityName], listed != entity.hash else {
                return nil
            }
            return ModelWarning(.otherHashInBundle(version: name), entity: entity.entityName, path: list.bundlePath)
        }
    }
}
