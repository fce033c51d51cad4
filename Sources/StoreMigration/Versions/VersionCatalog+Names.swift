public import ManagedObjectModels
import PersistentStores
import SwiftDataModels

extension VersionCatalog {
    /// Returns the version with a name or at a path, which may be outside of the catalog's paths.
    ///
    /// - Parameters:
    ///   - name: the name of a version, optionally with that of its bundle, or a path.
    ///   - bundle: the bundle whose version is used if several bundles have a version with the name.
    /// - Throws: `ModelError` if there is no such version, if there are several, or if a version outside of the catalog
    ///   cannot be read.
    public func version(named name: String, preferring bundle: ModelBundle? = nil) throws(ModelError) -> ModelVersion {
        let forms = ModelPath.forms(name)
        if let exact = versions.first(where: { !ModelPath.forms($0.path).isDisjoint(with: forms) }) { return exact }
        let candidates = versions.named(name)
        if candidates.count == 1 { return candidates[0] }
        let near = candidates.filter { $0.bundle?.path == bundle?.path && bundle != nil }
        if near.count == 1 { return near[0] }
        if candidates.count > 1 { throw ModelError(.ambiguousVersion(name, paths: candidates.map(\.path))) }
        guard let outside = try version(at: name) else {
            throw ModelError(.unknownVersion(name, known: versions.map(\.name)))
        }
        return outside
    }

    /// Returns the only version at a path, or the current one of the bundle there; nil if there is nothing.
    private func version(at path: String) throws(ModelError) -> ModelVersion? {
        let existing = ["", ".xcdatamodel", ".mom"].map { path + $0 }.first(where: FileSystem.exists)
        guard let existing else { return nil }
        let found = try add(existing)
        if found.count == 1 { return found[0] }
        return try ModelVersions(path: existing, swiftData: sources).current()
    }

    /// Returns the named version, else the current one of the source's bundle, else the only current one, with the same
    /// configuration as the source.
    /// - Throws: `ModelError` if there is no such version, if it is ambiguous which one is current, or if it cannot be
    ///   read; `MigrationError` if it does not have the configuration.
    public func destinationVersion(named name: String?, for source: VersionedModel) throws -> VersionedModel {
        let bundle = bundle(of: source.path)
        let whole: VersionedModel
        if let name {
            whole = try versionedModel(try version(named: name, preferring: bundle))
        } else {
            whole = try currentVersion { bundle == nil || $0.bundle?.path == bundle?.path }
        }
        guard let configuration = source.configuration else { return whole }
        return try source.isPart ? whole.restricted(to: configuration) : whole.limited(to: configuration)
    }

    /// Returns the version with all of its entities, for a store of all configurations.
    /// - Throws: `ModelError` if the version cannot be read.
    public func whole(_ version: VersionedModel) throws -> VersionedModel {
        guard version.configuration != nil, let found = versions.first(where: { $0.path == version.path }) else {
            return version
        }
        return try versionedModel(found)
    }

    /// Returns the complete version for a store of a configuration, from a version that has only a part of the model.
    /// - Throws: `ModelError` if the version cannot be read; `MigrationError` if it does not have the configuration.
    public func completed(_ version: VersionedModel) throws -> VersionedModel {
        guard version.isPart, let configuration = version.configuration,
            let found = versions.first(where: { $0.path == version.path })
        else { return version }
        return try versionedModel(found).limited(to: configuration)
    }

    /// Returns the same steps, with a last step that writes a store of the complete model.
    /// - Throws: `ModelError` if the version cannot be read; `MigrationError` if it does not have the configuration.
    public func completed(_ chain: MigrationChain) throws -> MigrationChain {
        guard let last = chain.steps.last, last.destination.isPart else { return chain }
        var step = MigrationChain.Step(
            source: last.source, destination: try completed(last.destination), mapping: last.mapping,
            reason: last.reason)
        (step.before, step.after) = (last.before, last.after)
        return MigrationChain(steps: chain.steps.dropLast() + [step], findings: chain.findings)
    }

    /// Returns the named version, or else the only current one, for a store that does not exist yet.
    /// - Throws: `ModelError` if there is no such version, if it is ambiguous which one is current, or if it cannot be
    ///   read.
    public func version(forNewStore name: String?) throws(ModelError) -> VersionedModel {
        if let name { return try versionedModel(try version(named: name)) }
        return try currentVersion { _ in true }
    }

    private func currentVersion(where isCandidate: (ModelVersion) -> Bool) throws(ModelError) -> VersionedModel {
        let current = versions.filter { $0.isCurrent && isCandidate($0) && (versions.count == 1 || !isStore($0)) }
        if current.count == 1 { return try versionedModel(current[0]) }
        guard !current.isEmpty else {
            let candidates = versions.filter { isCandidate($0) && !isStore($0) }
            throw ModelError(.noCurrentVersion(known: candidates.map(\.name)), path: candidates.first?.bundle?.path)
        }
        throw ModelError(.severalCurrentVersions(paths: current.map(\.path)))
    }
}
