import ManagedObjectModels
import PersistentStores

/// Reading a model with a long history, and comparing its ends.
struct ModelsSuite: Suite {
    static let name = "models"
    static let abstract = "Loading all versions of a large model, and comparing the first with the last"
    static let discussion = """
        The model is the one at --models, or a generated one of 117 versions with up to 88 entities, as large as the
        largest of a public app. What is measured:

            load     the version hashes of all versions, for which each is read whole; against xmllint --noout, which
                     does nothing with what it reads
            compile  all versions to a .momd; against load
            diff     the first version compared with the last; against xmllint --noout with the two
        """
    static let benchmarks = ["load", "compile", "diff"]

    let session: BenchmarkSession

    /// The targets: values are made of what is read, hashed, and printed as base 64 and hexadecimal digits.
    private static let loadLimit = 6.0
    private static let memoryLimit = 96.0 * 1024 * 1024

    /// A generated version takes 120 kB.
    private static let bytesNeeded: Int64 = 64 << 20

    func run() throws -> [Figure] {
        let workspace = try Workspace(needing: Self.bytesNeeded)
        let path = try session.options.models ?? ModelHistory.write(to: workspace)
        let versions = try ModelVersions(path: path).singleModel().versions
        guard let first = versions.first, let last = versions.last else { return [] }
        session.note("\(versions.count) versions in \(path)")
        var figures: [Figure] = []
        if session.includes("load") {
            let runs = try session.pairs(
                "load", xmllint(versions, workspace), ferry("load", ["hashes", path], workspace))
            figures += [
                runs.wallTime("load", ratioAtMost: Self.loadLimit), runs.processorTime("load, processor"),
                runs.memory("load", limit: Self.memoryLimit),
            ]
        }
        if session.includes("compile") {
            let output = workspace.file("Out.momd")
            let runs = try session.pairs(
                "compile", ferry("load", ["hashes", path], workspace),
                ferry("compile", ["compile", path, "--output", output, "--force", "--module", "App"], workspace))
            figures += [runs.wallTime("compile", ratioAtMost: nil), runs.memory("compile", limit: Self.memoryLimit)]
        }
        if session.includes("diff") {
            let words = ["diff", "--models", path, "--from", first.name, "--to", last.name]
            let runs = try session.pairs("diff", xmllint([first, last], workspace), ferry("diff", words, workspace))
            figures += [runs.wallTime("diff", ratioAtMost: nil), runs.memory("diff", limit: Self.memoryLimit)]
        }
        return figures
    }

    private func ferry(_ name: String, _ words: [String], _ workspace: Workspace) -> Contestant {
        // A finding, such as a default that Xcode reads otherwise, is not a failure.
        let process = MeasuredProgram(
            executable: session.ferry, arguments: words, directory: workspace.path, accepted: [0, 1])
        return Contestant(name: "ferry " + name) { try process.run().usage }
    }

    private func xmllint(_ versions: [ModelVersion], _ workspace: Workspace) -> Contestant {
        let process = MeasuredProgram(
            executable: "xmllint", arguments: ["--noout"] + versions.map(\.documentPath), directory: workspace.path,
            accepted: [0, 1])
        return Contestant(name: "xmllint") { try process.run().usage }
    }
}
