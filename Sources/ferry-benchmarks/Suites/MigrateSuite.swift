import PersistentStores
import StoreMigration

/// Migrations of one store of two sizes: every row changes, no row changes in a copy, no row changes in place.
struct MigrateSuite: Suite {
    static let name = "migrate"
    static let abstract = "Migrations against SQLite's shell, cp, and a smaller store"
    static let discussion = """
        Every order has ten attributes, a customer among 500, and on average one of 1000 tags. What is measured:

            transfer  an attribute is renamed and an optional one gets a value, so that all rows go into a new file;
                      against the same INSERT ... SELECT in the sqlite3 shell and an fsync
            staged    an attribute is renamed and one is added, in a copy that takes the store's place;
                      against cp and an fsync
            in-place  the same with --in-place; against a store of a twentieth of the rows

        Memory is compared with that of the same migration of the small store. Ratios have targets from a million rows
        on: below, start-up and checks of fixed cost outweigh the rows.
        """
    static let benchmarks = ["transfer", "staged", "in-place"]

    let session: BenchmarkSession

    /// The targets.
    private static let transferLimit = 0.7
    private static let stagedLimit = 1.3
    private static let inPlaceLimit = 1.5
    private static let inPlaceRunsPerRun = 3

    /// A row with its links and its entries in the indexes takes about 230 bytes, and there are four stores at a time;
    /// the fifth is for what SQLite sorts in files.
    private static let bytesPerRow: Int64 = 5 * 230

    func run() throws -> [Figure] {
        let workspace = try Workspace(needing: Int64(session.options.rows) * Self.bytesPerRow)
        let models = try OrderModels.write(to: workspace)
        let catalog = try VersionCatalog(paths: [models])
        let original = try OrderStore(catalog, .original)
        let shell = SQLiteShell(workspace: workspace)
        let (small, large) = try session.stores(shell) { original.script(rows: $0) }
        let tool = MigrateTool(session: session, models: models, workspace: workspace)

        var figures: [Figure] = []
        if session.includes("transfer") {
            let pairs = try transfer(tool, shell, catalog, original, large)
            figures += session.times("transfer", pairs, ratioAtMost: Self.transferLimit)
            figures += try session.memory("transfer", pairs, small: tool.transfer(of: small))
        }
        if session.includes("staged") {
            let pairs = try session.pairs("staged", copyAndSync(large, workspace), tool.staged(large))
            figures += session.times("staged", pairs, ratioAtMost: Self.stagedLimit)
            figures += try session.memory("staged", pairs, small: tool.staged(small))
        }
        if session.includes("in-place") {
            session.note("in-place")
            // These take milliseconds, most of them waiting for the device: more of them cost nothing.
            let pairs = try PairedRuns(
                tool.inPlace(small, named: "small"), tool.inPlace(large, named: "large"),
                count: session.options.runs * Self.inPlaceRunsPerRun, note: session.note)
            figures.append(pairs.wallTime("in-place", ratioAtMost: session.target(Self.inPlaceLimit)))
            figures += [pairs.memory("in-place"), pairs.memoryGrowth("in-place", small: pairs.referenceMemory)]
        }
        return figures
    }

    private func transfer(
        _ tool: MigrateTool, _ shell: SQLiteShell, _ catalog: VersionCatalog, _ original: OrderStore, _ store: String
    ) throws -> PairedRuns {
        let workspace = tool.workspace
        let transformed = try OrderStore(catalog, .transformed)
        let path = workspace.file("reference.sqlite")
        let reference = try TransferReference(shell: shell, from: original, to: transformed, store: store)
        let runs = try session.pairs(
            "transfer",
            Contestant(name: "sqlite3", prepare: { try workspace.removeStore(path) }) { try reference.run(into: path) },
            tool.transfer(of: store))
        let summary = transformed.summary(titled: "ZSUBJECT")
        let wanted = try shell.run(summary, on: path).output
        let found = try shell.run(summary, on: tool.result).output
        guard wanted == found else {
            throw BenchmarkError.resultsDiffer("transfer", reference: wanted, found: found)
        }
        try workspace.removeStore(path)
        try workspace.removeStore(tool.result)
        return runs
    }

    /// `cp` in the way that copies bytes, and an fsync of the copy and of its folder, as ferry does.
    private func copyAndSync(_ store: String, _ workspace: Workspace) -> Contestant {
        let copy = workspace.file("copy.sqlite")
        let process = MeasuredProgram(
            executable: "cp", arguments: ["--reflink=never", store, copy], directory: workspace.path)
        return Contestant(name: "cp", prepare: { try workspace.removeStore(copy) }) {
            let usage = try process.run().usage
            try FileSystem.synchronize(copy)
            try FileSystem.synchronize(workspace.path)
            return usage
        }
    }
}
