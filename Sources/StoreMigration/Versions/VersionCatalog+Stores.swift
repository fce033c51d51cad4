import ManagedObjectModels
public import PersistentStores

extension VersionCatalog {
    /// Returns the version with which a store was made: the named one, else the one with the store's hashes, else the
    /// model in the store itself.
    ///
    /// - Parameters:
    ///   - store: an open store.
    ///   - name: the version to use if the store's hashes do not determine it; nil to use only the hashes.
    ///   - configuration: the configuration of the store, if its entities do not determine it.
    ///   - destination: the version to migrate to; of versions with equal hashes, one in its bundle is preferred.
    /// - Throws: `MigrationError` if no version has the hashes (code `unknownVersion`), or if the configuration does
    ///   not exist; `ModelError` if the named version does not exist, or if no version can be read; `StoreError` or
    ///   `SQLiteError` if the store's own model cannot be read.
    public func sourceVersion(
        of store: SQLiteStore, named name: String?, configuration: String? = nil, towards destination: String? = nil
    ) throws -> VersionedModel {
        let (known, unreadable) = try knownVersion(
            of: store.metadata, named: name, configuration: configuration, towards: destination)
        if let known { return known }
        if let own = try ownVersion(of: store) { return own }
        // If no version can be read, the reason for that is reported.
        if let first = unreadable.first, unreadable.count == versions.count { throw first }
        throw MigrationError(
            .unknownVersion(unknownVersion(store.metadata, store: store, unreadable: unreadable)),
            path: store.files.shownPath)
    }

    /// Returns the version of a store of another type, which contains no model: the named one, else the one with its
    /// hashes.
    /// - Throws: `MigrationError` if no version has the hashes (code `unknownVersion`), or if the configuration does
    ///   not exist; `ModelError` if the named version does not exist, or if no version can be read.
    public func sourceVersion(
        of metadata: StoreMetadata, at path: String, named name: String?, configuration: String? = nil
    ) throws -> VersionedModel {
        let (known, unreadable) = try knownVersion(
            of: metadata, named: name, configuration: configuration, towards: nil)
        if let known { return known }
        if let first = unreadable.first, unreadable.count == versions.count { throw first }
        throw MigrationError(.unknownVersion(unknownVersion(metadata, unreadable: unreadable)), path: path)
    }

    private func knownVersion(
        of metadata: StoreMetadata, named name: String?, configuration: String?, towards destination: String?
    ) throws -> (version: VersionedModel?, unreadable: [ModelError]) {
        if let name {
            let whole = try versionedModel(try version(named: name))
            let names = Set(metadata.versionHashes.keys)
            if let part = whole.configuration(holding: names, named: configuration) {
                return (try whole.restricted(to: part), [])
            }
            return (try configuration.map { try whole.limited(to: $0) } ?? whole, [])
        }
        let bundle = destination.flatMap { try? version(named: $0).bundle }
        let (match, unreadable) = match(metadata, configuration: configuration, preferring: bundle?.path)
        if let match {
            var result = try versionedModel(match.version)
            if let part = match.configuration {
                result = try result.restricted(to: part)
            } else if let configuration {
                result = try result.limited(to: configuration)
            }
            result.alternatives = match.others.map(\.path)
            return (result, unreadable)
        }
        // If only the configuration is missing, this is reported, instead of an unknown version.
        if let configuration, let match = self.match(metadata, configuration: nil, preferring: bundle?.path).match {
            _ = try versionedModel(match.version).limited(to: configuration)
        }
        return (nil, unreadable)
    }

    /// Returns the model in a store if it has the hashes in the store's metadata; nil if there is none.
    ///
    /// A model with other hashes was left by another version. A model that cannot be read is ignored if there are other
    /// versions.
    /// - Throws: `ModelError` if the store's model cannot be read and there are no other versions; `StoreError` or
    ///   `SQLiteError` if the store cannot be read.
    public func ownVersion(of store: SQLiteStore) throws -> VersionedModel? {
        do {
            guard let own = try StoreModel(store) else { return nil }
            let model = try ResolvedModel(own.version.model())
            let result = VersionedModel(
                name: own.version.name, path: own.version.path, model: model, known: own.knownHashes.hashes)
            return result.hashes == store.metadata.versionHashes ? result : nil
        } catch let error as ModelError {
            if versions.isEmpty { throw error }
            return nil
        }
    }

    /// Returns the version with the store's hashes; nil if there is none. Versions that cannot be read are ignored.
    public func match(_ metadata: StoreMetadata) -> VersionMatch? {
        match(metadata, configuration: nil, preferring: nil).match
    }

    /// - Parameter bundle: the path of the bundle whose version is preferred among several.
    private func match(
        _ metadata: StoreMetadata, configuration: String?, preferring bundle: String?
    ) -> (match: VersionMatch?, unreadable: [ModelError]) {
        addMerge(of: metadata)
        let hashes = metadata.versionHashes
        let names = Set(hashes.keys)
        var whole: [ModelVersion] = []
        var parts: [(version: ModelVersion, configuration: String)] = []
        var unreadable: [ModelError] = []
        for version in versions {
            do throws(ModelError) {
                // Most versions in a long history already differ in their entities, so no hashes need to be computed.
                let model = try version.model()
                let all = Set(model.entities.map(\.name))
                guard names.isSubset(of: all) else { continue }
                // A configuration may have no entities, and metadata may have no hashes.
                let holding = model.configurations.filter {
                    !names.isEmpty && Set($0.entityNames) == names && $0.name == configuration ?? $0.name
                }
                let isWhole =
                    names == all
                    && (configuration.map { name in model.configurations.contains { $0.name == name } } ?? true)
                guard isWhole || !holding.isEmpty else { continue }
                let candidate = try candidate(version)
                guard hashes.allSatisfy({ candidate.hashes[$0.key] == $0.value }) else { continue }
                if isWhole { whole.append(version) } else { parts += holding.map { (version, $0.name) } }
            } catch {
                unreadable.append(error)
            }
        }
        if let best = whole.first(where: { $0.bundle?.path == bundle && bundle != nil }) ?? whole.first {
            let others = whole.filter { $0.path != best.path }
            return (VersionMatch(version: best, configuration: nil, others: others), unreadable)
        }
        let near = parts.first { $0.version.bundle?.path == bundle && bundle != nil }
        guard let best = near ?? parts.first else { return (nil, unreadable) }
        let others = parts.map(\.version).filter { $0.path != best.version.path }
        return (
            VersionMatch(version: best.version, configuration: best.configuration, others: others), unreadable
        )
    }

    /// Returns the differences between the store and the most similar version.
    public func unknownVersion(_ store: SQLiteStore) -> UnknownVersion {
        unknownVersion(store.metadata, store: store, unreadable: [])
    }

    private func unknownVersion(
        _ metadata: StoreMetadata, store: SQLiteStore? = nil, unreadable: [ModelError]
    ) -> UnknownVersion {
        // A model that another version of the app left in the store does not describe the store.
        let own = store.flatMap { try? ownVersion(of: $0) }
        var unknown = VersionRecognition.unknown(
            metadata, among: versions.compactMap { try? candidate($0) }, own: own?.model)
        unknown.versionOption = versionOption
        unknown.unreadable = unreadable.map(\.description)
        return unknown
    }
}

extension VersionedModel {
    /// Returns the only configuration with exactly these entities, unless they are all entities.
    ///
    /// - Parameter name: the configuration to prefer, if it has these entities.
    func configuration(holding names: Set<String>, named name: String? = nil) -> String? {
        guard names != Set(model.entities.map(\.name)) else { return nil }
        let holding = model.model.configurations.filter { Set($0.entityNames) == names && $0.name == name ?? $0.name }
        return holding.count == 1 ? holding[0].name : nil
    }
}
