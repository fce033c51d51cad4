internal import ManagedObjectModels
public import MappingModels

/// The versions that a mapping model leads from and to.
extension VersionCatalog {
    /// The named source version, else the one that has the mapping's hashes, else the one that its path names.
    ///
    /// Throws `MappingVersionError` where neither tells.
    public func sourceVersion(of mapping: MappingModel, named name: String?) throws -> VersionedModel {
        let hashes = mapping.entityMappings.compactMap { ($0.sourceEntityName, $0.sourceEntityVersionHash) }
        return try version(named: name, hashes: hashes, path: mapping.sourceModelPath, side: "source")
    }

    /// The named destination version, else the one that has the mapping's hashes, else the one that its path names.
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

    /// The version whose path ends most like one that was noted on another machine; nil where that is not certain.
    private func version(atPath path: String) throws -> VersionedModel? {
        let wanted = path.split(separator: "/").reversed() as [Substring]
        func agreement(_ other: String) -> Int {
            zip(wanted, other.split(separator: "/").reversed()).prefix { $0 == $1 }.count
        }
        let best = versions.map { agreement($0.path) }.max() ?? 0
        guard best > 0 else { return nil }
        let candidates = try versions.filter { agreement($0.path) == best }.map { try versionedModel($0) }
        return candidates.allSatisfy { $0.hashes == candidates[0].hashes } ? candidates[0] : nil
    }
}
