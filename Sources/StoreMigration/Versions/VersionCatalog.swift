import Foundation
public import ManagedObjectModels
public import PersistentStores

/// The model versions that a user named, as a migration chooses among them: by a store's hashes, by name, or the current one.
public final class VersionCatalog {
    /// What was wrong with the models' files; complete for the versions that were read.
    public private(set) var warnings: [ModelWarning]

    public let versions: [ModelVersion]

    private let knownHashes: [KnownModelHashes]
    private let storePaths: Set<String>
    private var resolved: [String: VersionedModel] = [:]

    /// - Parameter paths: model bundles, models, folders with some, or stores that carry their model. Without any,
    ///   only the store's own model is left.
    /// - Throws: `ModelError` where a path has no model.
    public init(paths: [String]) throws(ModelError) {
        var versions: [ModelVersion] = []
        var known: [KnownModelHashes] = []
        var warnings: [ModelWarning] = []
        var storePaths: Set<String> = []
        for path in paths {
            if let store = try StoreModel(path: path) {
                versions.append(store.version)
                storePaths.insert(store.version.path)
                known.append(store.knownHashes)
                continue
            }
            let found = try ModelVersions(path: path)
            versions += found.versions.filter { new in !versions.contains { $0.path == new.path } }
            known += found.knownHashes
            warnings += found.warnings
        }
        // A path may have given the hashes of a compiled bundle only.
        if versions.isEmpty, !paths.isEmpty { throw ModelError(.noVersions, path: paths.joined(separator: ", ")) }
        self.versions = versions
        knownHashes = known
        self.storePaths = storePaths
        self.warnings = warnings
    }

    /// The version with its model resolved and its hashes computed.
    public func versionedModel(_ version: ModelVersion) throws(ModelError) -> VersionedModel {
        if let known = resolved[version.path] { return known }
        let document = try version.document()
        warnings += document.warnings
        let model: ResolvedModel
        do {
            model = try ResolvedModel(document.model)
        } catch {
            var error = error
            error.path = error.path ?? version.path
            throw error
        }
        let result = VersionedModel(
            name: version.name, path: version.path, model: model, known: knownHashes(for: version.name, model: model))
        resolved[version.path] = result
        return result
    }

    /// The version of that name or at that path.
    public func version(named name: String) throws(ModelError) -> ModelVersion {
        let wanted = Self.withoutExtension(name)
        if let exact = versions.first(where: { Self.withoutExtension($0.path) == wanted }) { return exact }
        for candidates in [versions.filter { $0.description == wanted }, versions.filter { $0.name == wanted }] {
            if candidates.count == 1 { return candidates[0] }
            if candidates.count > 1 { throw ModelError(.ambiguousVersion(name, paths: candidates.map(\.path))) }
        }
        throw ModelError(.unknownVersion(name, known: versions.map(\.name)))
    }

    /// The version that a store was made with: the named one, else the one with the store's hashes, else the model that
    /// the store itself carries.
    ///
    /// Throws `MigrationError` with code `unknownVersion` where no version has them.
    public func sourceVersion(of store: SQLiteStore, named name: String?) throws -> VersionedModel {
        if let name { return try versionedModel(try version(named: name)) }
        if let match = try match(store.metadata) { return try versionedModel(match) }
        if let own = try ownVersion(of: store) { return own }
        throw MigrationError(.unknownVersion(unknownVersion(store.metadata)), path: store.files.path)
    }

    /// The model that a store carries, where it has the hashes that the store lists; nil where it carries none.
    ///
    /// One with other hashes is what another version left behind. One that cannot be read counts as none where there
    /// are other versions to look among.
    public func ownVersion(of store: SQLiteStore) throws -> VersionedModel? {
        do {
            guard let own = try StoreModel(store) else { return nil }
            let hashes = store.metadata.versionHashes
            let model = try ResolvedModel(own.version.model())
            let result = VersionedModel(
                name: own.version.name, path: own.version.path, model: model, known: own.knownHashes.hashes)
            return result.hashes == hashes ? result : nil
        } catch let error as ModelError {
            if versions.isEmpty { throw error }
            return nil
        }
    }

    /// The version whose hashes are the store's, nil where none has them. A version that cannot be read is none.
    public func match(_ metadata: StoreMetadata) throws -> ModelVersion? {
        let hashes = metadata.versionHashes
        let names = Set(hashes.keys)
        var failure: ModelError?
        for version in versions {
            do {
                // Most versions of a long history differ in their entities already: no hash is needed to see it.
                guard Set(try version.model().entities.map(\.name)) == names else { continue }
                let candidate = try versionedModel(version)
                if candidate.hashes == hashes { return version }
            } catch {
                failure = failure ?? error
            }
        }
        // Where nothing fits, a model that cannot be read may be the one.
        if let failure { throw failure }
        return nil
    }

    /// How the store differs from the version that comes nearest.
    public func unknownVersion(_ metadata: StoreMetadata) -> UnknownVersion {
        VersionRecognition.unknown(metadata, among: versions.compactMap { try? versionedModel($0) })
    }

    /// The named version, else the current one of the source's bundle, else the only current one.
    public func destinationVersion(named name: String?, for source: VersionedModel) throws(ModelError) -> VersionedModel {
        if let name { return try versionedModel(try version(named: name)) }
        let bundle = versions.first { $0.path == source.path }?.bundle
        return try currentVersion { bundle == nil || $0.bundle?.path == bundle?.path }
    }

    /// The named version, else the only current one: for a store that does not exist yet.
    public func version(forNewStore name: String?) throws(ModelError) -> VersionedModel {
        if let name { return try versionedModel(try version(named: name)) }
        return try currentVersion { _ in true }
    }

    private func currentVersion(where isCandidate: (ModelVersion) -> Bool) throws(ModelError) -> VersionedModel {
        let current = versions.filter { $0.isCurrent && isCandidate($0) && (versions.count == 1 || !isStore($0)) }
        if current.count == 1 { return try versionedModel(current[0]) }
        guard !current.isEmpty else { throw ModelError(.noCurrentVersion(known: versions.map(\.name))) }
        throw ModelError(.severalCurrentVersions(paths: current.map(\.path)))
    }

    /// The model of a store is one of the past: a migration never goes there unasked.
    private func isStore(_ version: ModelVersion) -> Bool {
        storePaths.contains(version.path)
    }

    /// Hashes that Xcode computed itself, where they fit the model.
    private func knownHashes(for name: String, model: ResolvedModel) -> [String: VersionHash] {
        let names = Set(model.entities.map(\.name))
        return knownHashes.first { $0.versionName == name && Set($0.hashes.keys) == names }?.hashes ?? [:]
    }

    private static func withoutExtension(_ text: String) -> String {
        var text = text[...]
        while text.count > 1, text.hasSuffix("/") { text = text.dropLast() }
        for end in ["/contents", "/elements", ".xcdatamodel", ".mom"] where text.hasSuffix(end) { text = text.dropLast(end.count) }
        return String(text)
    }
}
