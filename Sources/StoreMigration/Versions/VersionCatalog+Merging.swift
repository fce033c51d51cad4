import ManagedObjectModels
import PersistentStores

extension VersionCatalog {
    /// Adds the merged model with which a store was made: for each model, the version whose entities the store has,
    /// either all of them or those of one configuration.
    ///
    /// A model that was added later has no such version. Nothing is added if the store has entities of no model.
    func addMerge(of metadata: StoreMetadata) {
        let hashes = metadata.versionHashes
        guard !mergedModels.isEmpty, !hashes.isEmpty else { return }
        for configuration in [nil] + configurationNames {
            guard let parts = formerParts(hashes, of: configuration), let merge = try? ModelVersion(merging: parts)
            else {
                continue
            }
            if !versions.contains(where: { $0.path == merge.path }) { addOfStore(merge) }
            return
        }
    }

    private var configurationNames: [String?] {
        var names: Set<String> = []
        for version in mergedModels.flatMap(\.versions) {
            names.formUnion((try? version.model().configurations.map(\.name)) ?? [])
        }
        return names.sorted()
    }

    /// Returns the versions whose entities, or those of a configuration, are all entities of a store; nil if there are
    /// none.
    private func formerParts(_ hashes: [String: [UInt8]], of configuration: String?) -> [ModelVersion]? {
        var found: Set<String> = []
        var parts: [ModelVersion] = []
        for model in mergedModels {
            // Of versions with equal hashes, the current one is preferred.
            let candidates = model.versions.filter(\.isCurrent) + model.versions.filter { !$0.isCurrent }
            let former = candidates.lazy.compactMap { version -> (version: ModelVersion, names: Set<String>)? in
                let names = Self.names(in: version, of: configuration)
                return Self.hasEntities(names, of: version, with: hashes) ? (version, names) : nil
            }.first
            if let former {
                parts.append(former.version)
                found.formUnion(former.names)
            } else if configuration != nil {
                // The store has no entities of this model, so any version without entities in the configuration is
                // suitable.
                guard let other = candidates.first(where: { Self.names(in: $0, of: configuration).isEmpty }) else {
                    return nil
                }
                parts.append(other)
            }
        }
        return !found.isEmpty && found == Set(hashes.keys) ? parts : nil
    }

    private static func names(in version: ModelVersion, of configuration: String?) -> Set<String> {
        guard let model = try? version.model() else { return [] }
        guard let configuration else { return Set(model.entities.map(\.name)) }
        return Set(model.configurations.first { $0.name == configuration }?.entityNames ?? [])
    }

    private static func hasEntities(
        _ names: Set<String>, of version: ModelVersion, with hashes: [String: [UInt8]]
    ) -> Bool {
        guard !names.isEmpty, names.allSatisfy({ hashes[$0] != nil }),
            let resolved = try? ResolvedModel(version.model())
        else { return false }
        let own = ModelHashes.hashes(of: resolved)
        return names.allSatisfy { own[$0]?.bytes == hashes[$0] }
    }
}

extension ModelVersion {
    /// Combines several versions into one.
    init(merging parts: [ModelVersion]) throws(ModelError) {
        var models: [ManagedObjectModel] = []
        for part in parts { models.append(try part.model()) }
        self.init(
            name: parts.map(\.name).joined(separator: " + "), path: parts.map(\.path).joined(separator: " + "),
            document: ModelDocument(model: try ManagedObjectModel.merging(models)))
    }
}
