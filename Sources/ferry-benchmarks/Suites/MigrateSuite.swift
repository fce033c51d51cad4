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
            mapped    a mapping model computes one value, and copies the others and the links from both sides; against
                      the same INSERT ... SELECT
            staged    an attribute is renamed and one is added, in a copy that takes the store's place;
                      against cp and an fsync
            in-place  the same with --in-place; against wc -l, which reads the file once, as the check of its pages does

        Memory is compared with that of the same migration of the small store. Ratios have targets from a million rows
        on: below, start-up and checks of fixed cost outweigh the rows.
        """
    static let benchmarks = ["transfer", "mapped", "staged", "in-place"]

    let session: BenchmarkSession

    /// The targets.
    private static let transferLimit = 0.7
    private static let stagedLimit = 1.3
    private static let inPlaceLimit = 3.0
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
            let pairs = try compare(
                "transfer", tool, tool.transfer(of: large), shell, original, try OrderStore(catalog, .transformed),
                large,
                values: ["ZQUANTITY": "ifnull(ZQUANTITY, 1)", "ZSUBJECT": "ZTITLE"])
            figures += session.times("transfer", pairs, ratioAtMost: Self.transferLimit)
            figures += try session.memory("transfer", pairs, small: tool.transfer(of: small))
        }
        if session.includes("mapped") {
            let mapping = try workspace.write(Self.mapping, to: "mapped.yaml")
            let pairs = try compare(
                "mapped", tool, tool.mapped(large, by: mapping), shell, original, try OrderStore(catalog, .extended),
                large,
                values: ["ZCHANNEL": "1", "ZSUBJECT": "ZTITLE", "ZWEIGHT": "ZWEIGHT * 2 + 1"])
            figures += session.times("mapped", pairs, ratioAtMost: Self.transferLimit)
            figures += try session.memory("mapped", pairs, small: tool.mapped(small, by: mapping))
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
                read(large, workspace), tool.inPlace(large), count: session.options.runs * Self.inPlaceRunsPerRun,
                note: session.note)
            figures += session.times("in-place", pairs, ratioAtMost: Self.inPlaceLimit)
            figures += try session.memory("in-place", pairs, small: tool.inPlace(small))
        }
        return figures
    }

    /// What is not in it is copied.
    private static let mapping = """
        mapping: 1
        entities:
          - source: Customer
            destination: Customer
          - source: Order
            destination: Order
            attributes: {channel: 1, subject: $source.title, weight: $source.weight * 2 + 1}
          - source: Tag
            destination: Tag

        """

    private func compare(
        _ name: String, _ tool: MigrateTool, _ contestant: Contestant, _ shell: SQLiteShell, _ original: OrderStore,
        _ destination: OrderStore, _ store: String, values: [String: String]
    ) throws -> PairedRuns {
        let workspace = tool.workspace
        let path = workspace.file("reference.sqlite")
        let reference = try TransferReference(
            shell: shell, from: original, to: destination, store: store, values: values)
        let runs = try session.pairs(
            name,
            Contestant(name: "sqlite3", prepare: { try workspace.removeStore(path) }) { try reference.run(into: path) },
            contestant)
        let summary = destination.summary(titled: "ZSUBJECT")
        let wanted = try shell.run(summary, on: path).output
        let found = try shell.run(summary, on: tool.result).output
        guard wanted == found else {
            throw BenchmarkError.resultsDiffer(name, reference: wanted, found: found)
        }
        try workspace.removeStore(path)
        try workspace.removeStore(tool.result)
        return runs
    }

    private func read(_ store: String, _ workspace: Workspace) -> Contestant {
        let process = MeasuredProgram(executable: "wc", arguments: ["-l", store], directory: workspace.path)
        return Contestant(name: "wc") { try process.run().usage }
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
