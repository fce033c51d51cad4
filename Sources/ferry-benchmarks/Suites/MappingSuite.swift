import PersistentStores
import StoreMigration

/// Migrations that follow a mapping model, in every tier, against the same work written by hand.
struct MappingSuite: Suite {
    static let name = "mapping"
    static let abstract = "Mapping models against INSERT ... SELECT written by hand"
    static let discussion = """
        Every contact has nine attributes. What is measured, each against the same in the sqlite3 shell and an fsync:

            values   values that SQL computes
            split    an attribute becomes an entity: 5000 objects found or created by key
            rows     values that Swift computes
            policy   a policy in Swift that sets two values
            linked   a policy in Swift that makes the 5000 objects and links the others to them
            program  a policy that is a program, which answers several batches at once

        Memory has a limit. Ratios have targets from a million rows on.
        """
    static let benchmarks = ["values", "split", "rows", "policy", "linked", "program"]

    let session: BenchmarkSession

    /// A row takes about 130 bytes; there are three stores, and what SQLite sorts in files.
    private static let bytesPerRow: Int64 = 5 * 130

    func run() throws -> [Figure] {
        let workspace = try Workspace(needing: Int64(session.options.rows) * Self.bytesPerRow)
        let models = try ContactModels.write(to: workspace)
        let catalog = try VersionCatalog(paths: [models])
        let original = try ContactStore(catalog, .original)
        let shell = SQLiteShell(workspace: workspace)
        let large = try session.stores(shell) { original.script(rows: $0) }.large
        var figures: [Figure] = []
        for item in [MappingCase.values, .split, .rows, .policy, .linked, .program] where session.includes(item.name) {
            let pairs = try compare(item, large, workspace, models, try ContactStore(catalog, item.version), shell)
            figures += session.times(item.name, pairs, ratioAtMost: item.limit)
            figures.append(pairs.memory(item.name))
        }
        return figures
    }

    private func compare(
        _ item: MappingCase, _ store: String, _ workspace: Workspace, _ models: String, _ destination: ContactStore,
        _ shell: SQLiteShell
    ) throws -> PairedRuns {
        let (reference, result) = (workspace.file("reference.sqlite"), workspace.file("result.sqlite"))
        let mapping = try workspace.write(item.document, to: "\(item.name).yaml")
        let script =
            OrderStore.newFile + """
                PRAGMA locking_mode = EXCLUSIVE;
                PRAGMA cache_size = -4096;
                ATTACH '\(store)' AS source;
                BEGIN;
                \(destination.tables)
                \(item.statements(destination))
                \(destination.indexes)
                COMMIT;

                """
        let process = MeasuredProgram(
            executable: item.runsHere ? FileSystem.resolvingLinks("/proc/self/exe") : session.ferry,
            arguments: words(item, store, models, mapping, result), directory: workspace.path, accepted: [0, 1])
        let runs = try session.pairs(
            item.name,
            Contestant(name: "sqlite3", prepare: { try workspace.removeStore(reference) }) {
                let usage = try shell.run(script, on: reference).usage
                try FileSystem.synchronize(reference)
                try FileSystem.synchronize(workspace.path)
                return usage
            },
            Contestant(name: "ferry", prepare: { try workspace.removeStore(result) }) { try process.run().usage })
        let wanted = try shell.run(item.summary, on: reference).output
        let found = try shell.run(item.summary, on: result).output
        guard wanted == found else {
            throw BenchmarkError.resultsDiffer(item.name, reference: wanted, found: found)
        }
        for path in [reference, result] { try workspace.removeStore(path) }
        return runs
    }

    private func words(
        _ item: MappingCase, _ store: String, _ models: String, _ mapping: String, _ result: String
    ) -> [String] {
        if item.runsHere { return ["policy-run", store, models, item.version.rawValue, mapping, result] }
        let program =
            item.name == "program"
            ? ["--policy", "Benchmarks.LabelPolicy='\(FileSystem.resolvingLinks("/proc/self/exe"))' policy-program"]
            : []
        return [
            "migrate", store, "--models", models, "--to", item.version.rawValue, "--mapping", mapping, "--output",
            result,
            "--progress", "none",
        ] + program
    }
}
