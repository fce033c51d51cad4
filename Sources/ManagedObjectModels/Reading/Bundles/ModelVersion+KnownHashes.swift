extension ModelVersion {
    /// Entities of which the bundle's `VersionInfo.plist` lists another hash than the model has.
    ///
    /// Only where the rule for the hash is established: else the list knows better.
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
