import ManagedObjectModels

/// The stages of migration plans that are code of the app, which only the app can run.
///
/// Each is a step of its own, whatever its code does. Lightweight stages in a row are one step, to where the next custom
/// one begins or to the destination (`NSStagedMigrationManager`).
struct CustomStages {
    private let stages: [ModelBundle.Stage]

    init(_ catalog: VersionCatalog) {
        stages = Set(catalog.versions.compactMap(\.bundle)).sorted { $0.path < $1.path }.flatMap(\.stages)
    }

    /// A warning for each that an inferred step goes over: what its code does to the data is not done.
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

    /// The names of the versions at which the app's steps from one version to another end, but for the last one; empty
    /// if no custom stage is on the shortest way that stages lead.
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

    /// The custom stages on all ways from one version to another, each once: plans may part and meet again, and which
    /// one the app follows is not known.
    private func custom(from source: String, to destination: String) -> [(from: String, to: String)] {
        let after = reached(from: source) { ($0.from, $0.to) }
        let before = reached(from: destination) { ($0.to, $0.from) }
        var found: [(from: String, to: String)] = []
        for stage in stages where stage.isCustom && after.contains(stage.from) && before.contains(stage.to) {
            if !found.contains(where: { $0 == (stage.from, stage.to) }) { found.append((stage.from, stage.to)) }
        }
        return found
    }

    /// A version and all that stages lead to from it, in the direction in which `ends` gives them.
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
