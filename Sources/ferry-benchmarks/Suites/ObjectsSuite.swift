import PersistentStores
import StoreMigration

/// Live objects: reading faults, saving changes, and the memory of a fault.
struct ObjectsSuite: Suite {
    static let name = "objects"
    static let abstract = "Objects of a context against SQLite's shell"
    static let discussion = """
        Every order has ten attributes. What is measured, each in a process of its own:

            touch    all orders are fetched as faults, and each is asked for one attribute; against sqlite3 that selects
                     the column
            named    the same, and the request names the attribute, so that it is read along
            save     a tenth of the orders is fetched, changed and saved; against sqlite3 with an UPDATE for each in one
                     transaction
            faults   the memory of a registered fault

        Ratios have targets from a million rows on.
        """
    static let benchmarks = ["touch", "named", "save", "faults"]

    let session: BenchmarkSession

    /// The targets.
    private static let limit = 3.0
    private static let bytesPerFault = 200.0

    /// A row takes about 230 bytes, and there is a copy of the store.
    private static let bytesPerRow: Int64 = 700

    func run() throws -> [Figure] {
        let rows = session.options.rows
        let workspace = try Workspace(needing: Int64(rows) * Self.bytesPerRow)
        let models = try OrderModels.write(to: workspace)
        let original = try OrderStore(VersionCatalog(paths: [models]), .original)
        let shell = SQLiteShell(workspace: workspace)
        let (_, large) = try session.stores(shell) { original.script(rows: $0) }
        var figures: [Figure] = []
        for (name, work) in [("touch", "touch"), ("named", "touch-named")] where session.includes(name) {
            let result = workspace.file("column.txt")
            let pairs = try session.pairs(
                name,
                Contestant(name: "sqlite3") {
                    try shell.run(".once '\(result)'\nSELECT ZSERIAL FROM ZORDER;\n", on: large).usage
                }, contestant(work, large, models, 0, workspace))
            figures += session.times(name, pairs, ratioAtMost: Self.limit)
        }
        if session.includes("save") {
            let count = rows / 10
            let copy = workspace.file("copy.sqlite")
            let updates = (1...max(1, count)).map {
                "UPDATE ZORDER SET ZWEIGHT = \(-Double($0)), Z_OPT = 2 WHERE Z_PK = \($0);\n"
            }
            let script = "BEGIN IMMEDIATE;\n" + updates.joined() + "COMMIT;\n"
            let prepare = { try workspace.renewStore(copy, from: large) }
            let pairs = try session.pairs(
                "save", Contestant(name: "sqlite3", prepare: prepare) { try shell.run(script, on: copy).usage },
                contestant("save", copy, models, count, workspace, prepare: prepare))
            figures += session.times("save", pairs, ratioAtMost: Self.limit)
        }
        if session.includes("faults") {
            let output = try program("faults", large, models, 0, workspace).run().output
            figures.append(
                Figure(
                    name: "faults, memory of one", unit: .bytes, value: Double(output.split(separator: "\n")[0]) ?? 0,
                    limit: .value(Self.bytesPerFault)))
        }
        return figures
    }

    private func program(
        _ work: String, _ store: String, _ models: String, _ count: Int, _ workspace: Workspace
    ) -> MeasuredProgram {
        MeasuredProgram(
            executable: FileSystem.resolvingLinks("/proc/self/exe"),
            arguments: ["objects-run", work, store, models, "\(count)"], directory: workspace.path)
    }

    private func contestant(
        _ work: String, _ store: String, _ models: String, _ count: Int, _ workspace: Workspace,
        prepare: @escaping () throws -> Void = {}
    ) -> Contestant {
        let process = program(work, store, models, count, workspace)
        return Contestant(name: "objects", prepare: prepare) { try process.run().usage }
    }
}
