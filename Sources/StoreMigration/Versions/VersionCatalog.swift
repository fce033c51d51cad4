public import ManagedObjectModels
public import SwiftDataModels
import PersistentStores

/// The model versions that a user specified. Migrations choose among them by a store's hashes, by name, or take the
/// current one.
public final class VersionCatalog {
    /// The versions, in the order in which they were found.
    public private(set) var versions: [ModelVersion] = []

    /// The option that specifies a store's version, for messages; nil if there is none.
    public var versionOption: String? = "--version"

    private var knownHashes: [KnownModelHashes] = []
    /// Warnings about the files of bundles.
    public private(set) var bundleWarnings: [ModelWarning] = []
    /// The paths of versions that come from stores: their own models, and merged former versions.
    private var storePaths: Set<String> = []
    /// The models that are merged; empty if versions are used individually.
    private(set) var mergedModels: [ModelVersions] = []
    /// The options for Swift sources.
    let sources: SwiftDataSelection
    private var resolved: [String: VersionedModel] = [:]

    /// The versions that were returned, in order; warnings about other versions do not matter.
    private var used: [ModelVersion] = []
    /// The warnings about returned versions that are no longer in memory, by their paths.
    private var formerWarnings: [(path: String, warnings: [ModelWarning])] = []

    /// Finds the versions at some paths.
    /// - Parameters:
    ///   - paths: the paths of model bundles, models, Swift sources, folders that contain them, or stores that contain
    ///     their model. Without paths, only the store's own model can be used.
    ///   - sources: the options for Swift sources.
    /// - Throws: `ModelError` if a path has no model.
    public init(paths: [String], sources: SwiftDataSelection = SwiftDataSelection()) throws(ModelError) {
        self.sources = sources
        var models: [String] = []
        for path in paths {
            if try !addStore(path) { models.append(path) }
        }
        for found in try ModelVersions.together(models, swiftData: sources) { add(found) }
        // A path may only have provided the hashes of a compiled bundle.
        guard versions.isEmpty, !paths.isEmpty else { return }
        throw ModelError.noVersions(at: paths.joined(separator: ", "), bundleWarnings)
    }

    /// Creates a catalog in which the current versions of several models are one version, as an app merges all models
    /// in its bundles.
    /// - Throws: `ModelError` if a path has no current version, or if the models have different entities with the same
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

    /// Creates a catalog of all versions of the models, or of their merged current versions.
    /// - Throws: `ModelError` if a path has no model, or if merged models have different entities with the same name.
    public convenience init(
        paths: [String], isMerging: Bool, sources: SwiftDataSelection = SwiftDataSelection()
    ) throws(ModelError) {
        if isMerging {
            try self.init(merging: paths, sources: sources)
        } else {
            try self.init(paths: paths, sources: sources)
        }
    }

    /// Adds a version that comes from a store.
    func addOfStore(_ version: ModelVersion) {
        versions.append(version)
        storePaths.insert(version.path)
    }

    /// Adds the versions at a path, unless they exist already, and returns them.
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

    /// Adds the model of a store; returns false if there is no store at the path.
    private func addStore(_ path: String) throws(ModelError) -> Bool {
        guard let store = try StoreModel(path: path) else { return false }
        versions.append(store.version)
        storePaths.insert(store.version.path)
        knownHashes.append(store.knownHashes)
        return true
    }

    /// Warnings about the files of bundles, and about the versions that were returned.
    public var warnings: [ModelWarning] {
        bundleWarnings + formerWarnings.flatMap(\.warnings) + used.flatMap { (try? $0.document().warnings) ?? [] }
    }

    func warn(_ warning: ModelWarning) {
        if !bundleWarnings.contains(warning) { bundleWarnings.append(warning) }
    }

    /// Returns the version with its model resolved and its hashes computed.
    /// - Throws: `ModelError` if the version cannot be read, or is inconsistent.
    public func versionedModel(_ version: ModelVersion) throws(ModelError) -> VersionedModel {
        let result = try candidate(version)
        if !used.contains(where: { $0.path == version.path }) {
            used.append(version)
            formerWarnings.removeAll { $0.path == version.path }
        }
        return result
    }

    /// Returns a version that is only examined, so that its warnings do not matter.
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

    /// Removes the contents of a version that is no longer needed from memory, but keeps its warnings.
    func forget(_ version: ModelVersion) {
        resolved[version.path] = nil
        if let index = used.firstIndex(where: { $0.path == version.path }) {
            formerWarnings.append((version.path, (try? version.document().warnings) ?? []))
            used.remove(at: index)
        }
        version.forgetDocument()
    }

    /// Returns the hashes that Xcode itself computed, if they fit the model.
    private func knownHashes(for name: String, model: ResolvedModel) -> [String: VersionHash] {
        let names = Set(model.entities.map(\.name))
        return knownHashes.first { $0.versionName == name && Set($0.hashes.keys) == names }?.hashes ?? [:]
    }

    /// Returns whether a version comes from a store, and therefore is an old version, to which a migration never leads
    /// unless it is specified.
    func isStore(_ version: ModelVersion) -> Bool {
        storePaths.contains(version.path)
    }

    /// Returns the bundle of a version; nil if it is not in a bundle.
    func bundle(of path: String) -> ModelBundle? {
        versions.first { $0.path == path }?.bundle
    }
}
