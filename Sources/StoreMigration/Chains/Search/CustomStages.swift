import ManagedObjectModels

/// The stages of migration plans that are code of the app, which only the app can run.
struct CustomStages {
    private let stages: [ModelBundle.Stage]

    init(_ catalog: VersionCatalog) {
        stages = Set(catalog.versions.compactMap(\.bundle)).sorted { $0.path < $1.path }.flatMap(\.stages)
    }

    /// A warning for each that an inferred step goes over: what its code does to the data is not done.
    func findings(of chain: MigrationChain) -> [MigrationFinding] {
        chain.steps.filter { $0.mapping == nil }.flatMap { step in
            way(from: step.source.name, to: step.destination.name).filter(\.isCustom).map { stage in
                MigrationFinding(
                    .warning, "custom-stage-not-run",
                    message: "the stage from \(stage.from) to \(stage.to) is code of the app, which is not run; give a "
                        + "mapping model that does the same, or compare with what the app makes of the store")
            }
        }
    }

    /// The stages from one version to another; empty where they do not lead there.
    private func way(from source: String, to destination: String) -> [ModelBundle.Stage] {
        var way: [ModelBundle.Stage] = []
        var current = source
        while current != destination, way.count < stages.count, let next = stages.first(where: { $0.from == current }) {
            way.append(next)
            current = next.to
        }
        return current == destination ? way : []
    }
}
