import StoreEditing
import ManagedObjectModels
import MappingModels

/// A migration in stages that the app's developers have specified, like `NSStagedMigrationManager`.
public struct StagedMigration: Sendable {
    /// The stages, in order.
    public let stages: [MigrationStage]

    /// Creates a migration from its stages, in order.
    public init(_ stages: [MigrationStage]) {
        self.stages = stages
    }

    /// A version in the order of the stages.
    private struct Stop {
        let version: VersionedModel
        let stage: Int
        /// Whether the step of a custom stage leads here from the stop before.
        let isCustom: Bool
    }

    /// Returns the steps of the stages between two versions; the first one begins at the store's version.
    /// - Throws: `StagedMigrationError` if the stages do not lead there.
    public func chain(
        from source: VersionedModel, to destination: VersionedModel, in catalog: VersionCatalog
    ) throws -> MigrationChain {
        let configuration = source.isPart ? source.configuration : nil
        let stops = try stops(in: catalog, configuration: configuration)
        guard let first = stops.firstIndex(where: { $0.version.digest == source.digest }) else {
            throw StagedMigrationError(.unknownSource(source.name))
        }
        guard let last = stops.firstIndex(where: { $0.version.digest == destination.digest }) else {
            throw StagedMigrationError(.unknownDestination(destination.name))
        }
        guard first <= last else { throw StagedMigrationError(.backward(source.name, to: destination.name)) }
        guard first < last else {
            return MigrationChain(
                steps: [
                    .init(
                        source: source, destination: destination, mapping: nil,
                        reason: "the versions are the same")
                ])
        }
        var steps: [MigrationChain.Step] = []
        var start = source
        for index in (first + 1)...last {
            let stop = stops[index]
            let stage = stages[stop.stage]
            let reason = "stage \(stop.stage + 1)" + (stage.label.map { ", \($0)" } ?? "")
            if stop.isCustom {
                guard case .custom(_, _, let mapping) = stage.kind else { continue }
                let other = mapping.flatMap { mapping in
                    catalog.contradiction(of: mapping.model, from: start, to: stop.version) { version in
                        guard let configuration else { return version }
                        return try? version.restricted(to: configuration)
                    }
                }
                if let mapping, let other {
                    throw StagedMigrationError(.otherVersions(mapping.name, other), stage: stop.stage)
                }
                var step = MigrationChain.Step(
                    source: start, destination: stop.version, mapping: mapping,
                    reason: reason)
                step.before = stage.willMigrate
                step.after = stage.didMigrate
                steps.append(step)
            } else {
                // Within a stage, an inferred mapping leads directly to the last version.
                let goesOn = index < last && stops[index + 1].stage == stop.stage && !stops[index + 1].isCustom
                if goesOn { continue }
                steps.append(.init(source: start, destination: stop.version, mapping: nil, reason: reason))
            }
            start = stop.version
        }
        return MigrationChain(steps: steps)
    }

    /// Returns the versions of all stages; the end of a stage and the beginning of the next one are one stop.
    private func stops(in catalog: VersionCatalog, configuration: String?) throws -> [Stop] {
        var stops: [Stop] = []
        for (number, stage) in stages.enumerated() {
            guard !stage.references.isEmpty else { throw StagedMigrationError(.empty, stage: number) }
            for (index, reference) in stage.references.enumerated() {
                let part = StagedMigrationError.Part.version(index)
                let version = try version(reference, in: catalog, configuration, stage: number, part)
                if let previous = stops.last, previous.version.digest == version.digest, index == 0 { continue }
                if stops.contains(where: { $0.version.digest == version.digest }) {
                    throw StagedMigrationError(
                        .backward(stops.last?.version.name ?? "", to: version.name), stage: number, part: part)
                }
                var isCustom = false
                if case .custom = stage.kind { isCustom = index == 1 }
                stops.append(Stop(version: version, stage: number, isCustom: isCustom))
            }
            try checkEdits(stage, number, in: catalog, configuration)
        }
        return stops
    }

    private func version(
        _ reference: String, in catalog: VersionCatalog, _ configuration: String?, stage: Int,
        _ part: StagedMigrationError.Part
    ) throws -> VersionedModel {
        let named = catalog.versions.named(reference)
        let found =
            named.isEmpty
            ? catalog.versions.first { (try? catalog.candidate($0))?.checksum == reference }
            : try? catalog.version(named: reference)
        guard let found else {
            throw StagedMigrationError(
                .referenceNotFound(reference, known: catalog.versions.map(\.name)), stage: stage, part: part)
        }
        let whole = try catalog.versionedModel(found)
        return try configuration.map { try whole.restricted(to: $0) } ?? whole
    }

    /// Checks the edits before anything is executed.
    private func checkEdits(
        _ stage: MigrationStage, _ number: Int, in catalog: VersionCatalog, _ configuration: String?
    ) throws {
        guard case .custom(let from, let to, _) = stage.kind else { return }
        func check(
            _ edits: [StoreEdit], _ reference: String, _ index: Int, _ part: (Int) -> StagedMigrationError.Part
        ) throws {
            guard !edits.isEmpty else { return }
            let version = try version(reference, in: catalog, configuration, stage: number, .version(index))
            for (place, edit) in edits.enumerated() {
                do throws(EditError) {
                    try edit.check(against: version)
                } catch {
                    throw StagedMigrationError(.edit(error.reason), stage: number, part: part(place))
                }
            }
        }
        try check(stage.willMigrate, from, 0) { .willMigrate($0) }
        try check(stage.didMigrate, to, 1) { .didMigrate($0) }
    }
}
