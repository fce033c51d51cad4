internal import ManagedObjectModels
public import MappingModels

/// The source and destination versions of mapping models.
extension VersionCatalog {
    /// Returns the source version: the named one, else the one with the mapping's hashes, else the one at its path.
    /// - Throws: `MappingVersionError` if no version is found; `ModelError` if the named version does not exist, or if
    ///   a version cannot be read.
    public func sourceVersion(of mapping: MappingModel, named name: String?) throws -> VersionedModel {
        let hashes = mapping.entityMappings.compactMap { ($0.sourceEntityName, $0.sourceEntityVersionHash) }
        return try version(named: name, hashes: hashes, path: mapping.sourceModelPath, side: "source")
    }

    /// Returns the destination version: the named one, else the one with the mapping's hashes, else the one at its
    /// path.
    /// - Throws: `MappingVersionError` if no version is found; `ModelError` if the named version does not exist, or if
    ///   a version cannot be read.
    public func destinationVersion(of mapping: MappingModel, named name: String?) throws -> VersionedModel {
        let hashes = mapping.entityMappings.map { ($0.destinationEntityName, $0.destinationEntityVersionHash) }
        return try version(named: name, hashes: hashes, path: mapping.destinationModelPath, side: "destination")
    }

    /// Returns all possible source versions of a mapping model, at least one. Its hashes may match several versions.
    func sourceVersions(of mapping: MappingModel) throws -> [VersionedModel] {
        let hashes = mapping.entityMappings.compactMap { ($0.sourceEntityName, $0.sourceEntityVersionHash) }
        return try versions(hashes: hashes, path: mapping.sourceModelPath, side: "source")
    }

    /// Returns all possible destination versions of a mapping model, at least one.
    func destinationVersions(of mapping: MappingModel) throws -> [VersionedModel] {
        let hashes = mapping.entityMappings.map { ($0.destinationEntityName, $0.destinationEntityVersionHash) }
        return try versions(hashes: hashes, path: mapping.destinationModelPath, side: "destination")
    }

    /// Returns the first path in a mapping model that contradicts its source or destination version; nil if there is
    /// none.
    ///
    /// Hashes are more reliable than paths, and are compared elsewhere. Models in stores and merged models have no
    /// comparable paths.
    ///
    /// - Parameter part: restricts a version to the configuration of the store.
    func contradiction(
        of mapping: MappingModel, from source: VersionedModel, to destination: VersionedModel,
        part: (VersionedModel) -> VersionedModel?
    ) -> MappingVersionContradiction? {
        guard mergedModels.isEmpty else { return nil }
        let entities = mapping.entityMappings
        let sides = [
            ("source", mapping.sourceModelPath, source, entities.contains { $0.sourceEntityVersionHash != nil }),
            (
                "destination", mapping.destinationModelPath, destination,
                entities.contains { $0.destinationEntityVersionHash != nil }
            ),
        ]
        for case (let side, let path?, let version, false) in sides {
            guard !ModelPath.isBundle(path) else { continue }
            let nearest = nearestVersions(to: path)
            if nearest.isEmpty, isStore(of: version) { continue }
            let isMeant = nearest.contains {
                (try? candidate($0)).flatMap(part)?.digest == version.digest
            }
            if !isMeant { return MappingVersionContradiction(side: side, path: path, version: version.name) }
        }
        return nil
    }

    private func isStore(of version: VersionedModel) -> Bool {
        versions.contains { $0.path == version.path && isStore($0) }
    }

    private func version(
        named name: String?, hashes: [(name: String?, hash: [UInt8]?)], path: String?, side: String
    ) throws -> VersionedModel {
        if let name { return try versionedModel(try version(named: name)) }
        return try versions(hashes: hashes, path: path, side: side)[0]
    }

    private func versions(
        hashes: [(name: String?, hash: [UInt8]?)], path: String?, side: String
    ) throws -> [VersionedModel] {
        var expected: [String: [UInt8]] = [:]
        for case (let name?, let hash?) in hashes { expected[name] = hash }
        if !expected.isEmpty {
            let names = Set(expected.keys)
            let found = versions.filter { version in
                // Most versions in a long history already differ in their entities.
                guard let model = try? version.model(), names.isSubset(of: model.entities.map(\.name)),
                    let candidate = try? candidate(version)
                else { return false }
                return expected.allSatisfy { candidate.hashes[$0.key] == $0.value }
            }
            if !found.isEmpty { return try found.map { try versionedModel($0) } }
        }
        if let path, let found = try version(atPath: path) { return [found] }
        throw MappingVersionError(side: side, path: path, hasHashes: !expected.isEmpty)
    }

    /// Returns the version whose path is most similar to one from another machine; nil if this is ambiguous.
    private func version(atPath path: String) throws -> VersionedModel? {
        let candidates = try nearestVersions(to: path).map { try versionedModel($0) }
        guard let first = candidates.first else { return nil }
        return candidates.allSatisfy { $0.hashes == first.hashes } ? first : nil
    }

    /// Returns the versions whose paths share the most trailing components with another path; empty if not even the
    /// last one is equal. Extensions are ignored, because source models and compiled models have the same names.
    private func nearestVersions(to path: String) -> [ModelVersion] {
        let wanted = ModelPath.reversedComponents(path)
        let agreements = versions.map { version in
            zip(wanted, ModelPath.reversedComponents(version.path)).prefix { $0 == $1 }.count
        }
        guard let best = agreements.max(), best > 0 else { return [] }
        return zip(versions, agreements).filter { $0.1 == best }.map(\.0)
    }
}
