import PersistentStores

/// `ferry migrate` in the ways that are measured.
struct MigrateTool {
    let session: BenchmarkSession
    let models: String
    let workspace: Workspace

    /// Where a new store goes.
    var result: String { workspace.file("result.sqlite") }

    /// Every row goes into a new file.
    func transfer(of store: String) -> Contestant {
        Contestant(name: "ferry", prepare: { try workspace.removeStore(result) }) {
            try migrate(store, to: .transformed, ["--output", result])
        }
    }

    /// Every row goes into a new file, by a mapping model.
    func mapped(_ store: String, by mapping: String) -> Contestant {
        Contestant(name: "ferry", prepare: { try workspace.removeStore(result) }) {
            try migrate(store, to: .extended, ["--mapping", mapping, "--output", result])
        }
    }

    /// A changed copy takes the store's place.
    func staged(_ template: String) -> Contestant {
        let store = workspace.file("staged.sqlite")
        return Contestant(name: "ferry", prepare: { try workspace.renewStore(store, from: template) }) {
            try migrate(store, to: .extended, [])
        }
    }

    /// The store itself changes.
    func inPlace(_ template: String) -> Contestant {
        let store = workspace.file("in-place.sqlite")
        return Contestant(name: "ferry", prepare: { try workspace.renewStore(store, from: template) }) {
            try migrate(store, to: .extended, ["--in-place"])
        }
    }

    private func migrate(_ store: String, to version: OrderModels.Version, _ words: [String]) throws -> Usage {
        try MeasuredProgram(
            executable: session.ferry,
            arguments: ["migrate", store, "--models", models, "--to", version.rawValue, "--progress", "none"] + words,
            directory: workspace.path
        ).run().usage
    }
}
