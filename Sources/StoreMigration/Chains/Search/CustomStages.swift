import ManagedObjectModels

/// The custom stages of migration plans, which are code that only the app can run.
///
/// Each is a step of its own, whatever its code does. Consecutive lightweight stages are one step up to the next custom
/// stage or to the destination (`NSStagedMigrationManager`).
struct CustomStages {
    private let stages: [ModelBundle.Stage]

    init(_ catalog: VersionCatalog) {
        stages = Set(catalog.versions.compactMap(\.bundle)).sorted { $0.path < $1.path }.flatMap(\.stages)
    }

    /// Returns a warning for each custom stage that an inferred step replaces, because its code is not executed.
    func findings(of chain: MigrationChain) -> [MigrationFinding] {
        chain.steps.filter { $0.mapping == nil }.flatMap { step in
            custom(from: step.source.name, to: step.destination.name).map { from, to in
                MigrationFinding(
                    .warning, "custom-stage-not-run",
                    message: "the stage from \(from) to \(to) is code of the app, which is not run; give a "
                        + "mapping model that does the same, or compare with what the app makes of the store")
            }
        }
    }

    /// Returns the names of the versions at which the app's steps from one version to another end, without the last
    /// one; empty if there is no custom stage on the shortest way over stages.
    func stops(from source: String, to destination: String) -> [String] {
        var ways: [String: [ModelBundle.Stage]] = [source: []]
        var open = [source]
        while ways[destination] == nil, !open.isEmpty {
            let next = open.removeFirst()
            for stage in stages where stage.from == next && ways[stage.to] == nil {
                ways[stage.to] = (ways[next] ?? []) + [stage]
                open.append(stage.to)
            }
        }
        var stops: [String] = []
        for stage in ways[destination] ?? [] where stage.isCustom {
            stops += [stage.from, stage.to].filter { ![source, destination, stops.last].contains($0) }
        }
        return stops
    }

    /// Returns the custom stages on all ways from one version to another, without duplicates. Plans may branch and
    /// rejoin, and it is not known which way the app takes.
    private func custom(from source: String, to destination: String) -> [(from: String, to: String)] {
        let after = reached(from: source) { ($0.from, $0.to) }
        let before = reached(from: destination) { ($0.to, $0.from) }
        var found: [(from: String, to: String)] = []
        for stage in stages where stage.isCustom && after.contains(stage.from) && before.contains(stage.to) {
            if !found.contains(where: { $0 == (stage.from, stage.to) }) { found.append((stage.from, stage.to)) }
        }
        return found
    }

    /// Returns a version and all versions that stages lead to from it, in the direction in which `ends` returns their
    /// ends.
    private func reached(
        from version: String, _ ends: (ModelBundle.Stage) -> (start: String, end: String)
    ) -> Set<String> {
        var reached: Set = [version]
        var open = [version]
        while let next = open.popLast() {
            for (start, end) in stages.map(ends) where start == next && reached.insert(end).inserted {
                open.append(end)
            }
        }
        return reached
    }
}
