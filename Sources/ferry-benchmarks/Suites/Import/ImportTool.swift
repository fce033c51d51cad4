/// `ferry import` in the ways that are measured.
struct ImportTool {
    let session: BenchmarkSession
    let workspace: Workspace

    /// Where a new store goes.
    var result: String { workspace.file("result.sqlite") }

    /// A new store is made of a file.
    func load(
        _ source: String, as format: StaffData.Format = .csv, named name: String = "ferry",
        shape: StaffMapping.Shape = .skip
    ) -> Contestant {
        Contestant(name: name, prepare: { try workspace.removeStore(result) }) {
            try load(source, as: format, into: result, shape: shape)
        }
    }

    /// A file is loaded into a copy of a store.
    func fill(_ template: String, from source: String, named name: String = "ferry") -> Contestant {
        let store = workspace.file("filled-\(name).sqlite")
        return Contestant(name: name, prepare: { try workspace.renewStore(store, from: template) }) {
            try load(source, as: .csv, into: store)
        }
    }

    /// Where `fill` leaves its store.
    func filled(named name: String = "ferry") -> String { workspace.file("filled-\(name).sqlite") }

    @discardableResult
    func load(
        _ source: String, as format: StaffData.Format, into store: String, shape: StaffMapping.Shape = .skip
    ) throws -> Usage {
        let mapping = try workspace.write(
            StaffMapping.text(format, shape), to: "staff-\(format.rawValue)-\(shape.rawValue).yaml")
        let targets: [String] =
            switch shape {
            case .skip, .forward: ["departments.csv"]
            case .create, .record: []
            case .error: ["departments-some.csv"]
            case .lists, .ordered: ["departments.csv", "projects.csv"]
            }
        return try MeasuredProgram(
            executable: session.ferry,
            arguments: ["import"] + targets.map { workspace.file($0) } + [
                source, "--store", store, "--models", shape.model.write(to: workspace), "--mapping", mapping,
                "--progress", "none",
            ],
            // Rejected records are a finding.
            directory: workspace.path, accepted: shape == .error ? [1] : [0]
        ).run().usage
    }
}
