public import ManagedObjectModels
public import SwiftDataModels
import PersistentStores

/// The model versions that a user named, as a migration chooses among them: by a store's hashes, by name, or the
/// current one.
public final class VersionCatalog {
    /// The versions, in the order in which they were found.
    public private(set) var versions: [ModelVersion] = []

    /// The option that names a store's version, as messages say it; nil if there is none.
    public var versionOption: String? = "--version"

    private var knownHashes: [KnownModelHashes] = []
    /// What was wrong with the files of bundles.
    public private(set) var bundleWarnings: [ModelWarning] = []
    /// The paths of versions that only stores have: their own models, and merges of former versions.
    private var storePaths: Set<String> = []
    /// The models that are merged; none where versions are looked at one by one.
    private(set) var mergedModels: [ModelVersions] = []
    /// What of Swift sources is meant.
    let sources: SwiftDataSelection
    private var resolved: [String: VersionedModel] = [:]

    /// The versions that were handed out, in order: what is wrong with others does not matter.
    private var used: [ModelVersion] = []
    /// What was wrong with versions that were handed out and forgotten, by their paths.
    private var formerWarnings: [(path: String, warnings: [ModelWarning])] = []

    /// Finds the versions at some paths.
    /// - Parameters:
    ///   - paths: model bundles, models, Swift sources, folders with some, or stores that carry their model. Without
    ///     any, only the store's own model is left.
    ///   - sources: what of Swift sources is meant.
    /// - Throws: `ModelError` where a path has no model.
    public init(paths: [String], sources: SwiftDataSelection = SwiftDataSelection()) throws(ModelError) {
        self.sources = sources
        var models: [String] = []
        for path in paths {
            if try !addStore(path) { models.append(path) }
        }
        for found in try ModelVersions.together(models, swiftData: sources) { add(found) }
        // A path may have given the hashes of a compiled bundle only.
        guard versions.isEmpty, !paths.isEmpty else { return }
        throw ModelError.noVersions(at: paths.joined(separator: ", "), bundleWarnings)
    }

    /// The current versions of several models as one version, as an app makes it of all models in its bundles.
    /// - Throws: `ModelError` where a path has no current version, and where the models have different entities of a
    ///   name.
    public convenience init(
        merging paths: [String], sources: SwiftDataSelection = SwiftDataSelection()
    ) throws(ModelError) {
        try self.init(paths: [], sources: sources)
        for found in try ModelVersions.together(paths, swiftData: sources) {
            mergedModels += found.models
            bundleWarnings += found.warnings
        }
        var parts: [ModelVersion] = []
        for model in mergedModels { parts.append(try model.current()) }
        versions = [try ModelVersion(merging: parts)]
    }

    /// All versions of the models, or their current ones as one.
    /// - Throws: `ModelError` where a path has no model, or models that are merged have different entities of a name.
    public convenience init(
        paths: [String], isMerging: Bool, sources: SwiftDataSelection = SwiftDataSelection()
    ) throws(ModelError) {
        if isMerging {
            try self.init(merging: paths, sources: sources)
        } else {
            try self.init(paths: paths, sources: sources)
        }
    }

    /// Adds a version that only stores have.
    func addOfStore(_ version: ModelVersion) {
        versions.append(version)
        storePaths.insert(version.path)
    }

    /// Adds the versions at a path, and returns them; those that are there already are not added again.
    @discardableResult
    func add(_ path: String) throws(ModelError) -> [ModelVersion] {
        if try addStore(path) { return versions.suffix(1) }
        let found = try ModelVersions(path: path, swiftData: sources)
        add(found)
        return found.versions
    }

    private func add(_ found: ModelVersions) {
        let there = Set(versions.map { FileSystem.resolvingLinks($0.path) })
        versions += found.versions.filter { !there.contains(FileSystem.resolvingLinks($0.path)) }
        knownHashes += found.knownHashes
        bundleWarnings += found.warnings
    }

    /// Adds the model of a store; false if no store is at the path.
    private func addStore(_ path: String) throws(ModelError) -> Bool {
        guard let store = try StoreModel(path: path) else { return false }
        versions.append(store.version)
        storePaths.insert(store.version.path)
        knownHashes.append(store.knownHashes)
        return true
    }

    /// What was wrong with the files of bundles, and of those versions that were asked for.
    public var warnings: [ModelWarning] {
        bundleWarnings + formerWarnings.flatMap(\.warnings) + used.flatMap { (try? $0.document().warnings) ?? [] }
    }

    func warn(_ warning: ModelWarning) {
        if !bundleWarnings.contains(warning) { bundleWarnings.append(warning) }
    }

    /// The version with its model resolved and its hashes computed.
    /// - Throws: `ModelError` if the version cannot be read, or does not hold together.
    public func versionedModel(_ version: ModelVersion) throws(ModelError) -> VersionedModel {
        let result = try candidate(version)
        if !used.contains(where: { $0.path == version.path }) {
            used.append(version)
            formerWarnings.removeAll { $0.path == version.path }
        }
        return result
    }

    /// The same for a version that is only looked at.
    func candidate(_ version: ModelVersion) throws(ModelError) -> VersionedModel {
        if let known = resolved[version.path] { return known }
        let document = try version.document()
        let model: ResolvedModel
        do {
            model = try ResolvedModel(document.model)
        } catch {
            var error = error
            error.path = error.path ?? version.path
            throw error
        }
        let result = VersionedModel(
            name: version.name, path: version.path, model: model, known: knownHashes(for: version.name, model: model),
            doubts: document.hashDoubts)
        version.contradictions(to: knownHashes, model: model).forEach(warn)
        resolved[version.path] = result
        return result
    }

    /// Forgets what was read of a version that is not needed any more, but for its warnings.
    func forget(_ version: ModelVersion) {
        resolved[version.path] = nil
        if let index = used.firstIndex(where: { $0.path == version.path }) {
            formerWarnings.append((version.path, (try? version.document().warnings) ?? []))
            used.remove(at: index)
        }
        version.forgetDocument()
    }

    /// Hashes that Xcode computed itself, where they fit the model.
    private func knownHashes(for name: String, model: ResolvedModel) -> [String: VersionHash] {
        let names = Set(model.entities.map(\.name))
        return knownHashes.first { $0.versionName == name && Set($0.hashes.keys) == names }?.hashes ?? [:]
    }

    /// Whether a version is that of a store, one of the past: a migration never goes there unasked.
    func isStore(_ version: ModelVersion) -> Bool {
        storePaths.contains(version.path)
    }

    /// The bundle of a version; nil if it stands alone.
    func bundle(of path: String) -> ModelBundle? {
        versions.first { $0.path == path }?.bundle
    }
}
