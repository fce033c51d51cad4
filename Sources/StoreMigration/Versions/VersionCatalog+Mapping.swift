internal import ManagedObjectModels
public import MappingModels

/// The versions that a mapping model leads from and to.
extension VersionCatalog {
    /// The named source version, else the one that has the mapping's hashes, else the one that its path names.
    /// - Throws: `MappingVersionError` where neither tells; `ModelError` if the named version is not there, or one
    ///   cannot be read.
    public func sourceVersion(of mapping: MappingModel, named name: String?) throws -> VersionedModel {
        let hashes = mapping.entityMappings.compactMap { ($0.sourceEntityName, $0.sourceEntityVersionHash) }
        return try version(named: name, hashes: hashes, path: mapping.sourceModelPath, side: "source")
    }

    /// The named destination version, else the one that has the mapping's hashes, else the one that its path names.
    /// - Throws: `MappingVersionError` where neither tells; `ModelError` if the named version is not there, or one
    ///   cannot be read.
    public func destinationVersion(of mapping: MappingModel, named name: String?) throws -> VersionedModel {
        let hashes = mapping.entityMappings.map { ($0.destinationEntityName, $0.destinationEntityVersionHash) }
        return try version(named: name, hashes: hashes, path: mapping.destinationModelPath, side: "destination")
    }

    /// All source versions that a mapping model may mean: its hashes may be those of several. Never empty.
    func sourceVersions(of mapping: MappingModel) throws -> [VersionedModel] {
        let hashes = mapping.entityMappings.compactMap { ($0.sourceEntityName, $0.sourceEntityVersionHash) }
        return try versions(hashes: hashes, path: mapping.sourceModelPath, side: "source")
    }

    /// All destination versions that a mapping model may mean. Never empty.
    func destinationVersions(of mapping: MappingModel) throws -> [VersionedModel] {
        let hashes = mapping.entityMappings.map { ($0.destinationEntityName, $0.destinationEntityVersionHash) }
        return try versions(hashes: hashes, path: mapping.destinationModelPath, side: "destination")
    }

    /// The first of a mapping model's paths that names another version than the one that it is to lead from or to; nil
    /// if none does.
    ///
    /// Hashes tell more than paths, and are compared elsewhere. Models of stores and merged ones have no paths to
    /// compare with.
    ///
    /// - Parameter part: cuts a version down to the configuration of the store.
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
                // Most versions of a long history differ in their entities already.
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

    /// The version whose path ends most like one that was noted on another machine; nil if that is not certain.
    private func version(atPath path: String) throws -> VersionedModel? {
        let candidates = try nearestVersions(to: path).map { try versionedModel($0) }
        guard let first = candidates.first else { return nil }
        return candidates.allSatisfy { $0.hashes == first.hashes } ? first : nil
    }

    /// The versions whose paths have the most components at their ends in common with another path; empty if not even
    /// the last one is the same. Source and compiled models have the same names, whatever their extensions.
    private func nearestVersions(to path: String) -> [ModelVersion] {
        let wanted = ModelPath.reversedComponents(path)
        let agreements = versions.map { version in
            zip(wanted, ModelPath.reversedComponents(version.path)).prefix { $0 == $1 }.count
        }
        guard let best = agreements.max(), best > 0 else { return [] }
        return zip(versions, agreements).filter { $0.1 == best }.map(\.0)
    }
}
