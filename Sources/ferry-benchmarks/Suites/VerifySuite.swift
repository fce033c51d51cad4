import PersistentStores
import StoreMigration

/// Verification of one store of two sizes.
struct VerifySuite: Suite {
    static let name = "verify"
    static let abstract = "Looking for faults of a store against SQLite's integrity check and a scan"
    static let discussion = """
        Every order has ten attributes, a customer among 500, and on average one of 1000 tags. What is measured:

            sound       all rules on a store without faults; against PRAGMA integrity_check in the sqlite3 shell, and one
                        scan of all tables in which every value is looked at

        Memory is compared with that of a twentieth of the rows. The ratio has a target from a million rows on.
        """
    static let benchmarks = ["sound"]

    let session: BenchmarkSession

    /// The targets.
    private static let limit = 2.0

    /// An order takes about 230 bytes.
    private static let bytesPerRow: Int64 = 350

    func run() throws -> [Figure] {
        let workspace = try Workspace(needing: Int64(session.options.rows) * Self.bytesPerRow)
        let models = try OrderModels.write(to: workspace)
        let original = try OrderStore(VersionCatalog(paths: [models]), .original)
        let shell = SQLiteShell(workspace: workspace)
        let (small, large) = try session.stores(shell) { original.script(rows: $0) }
        let script = try "PRAGMA integrity_check;\n" + scan(of: large)
        let reference = Contestant(name: "sqlite3") {
            let (usage, output) = try shell.run(script, on: large)
            guard output.hasPrefix("ok") else {
                throw BenchmarkError.resultsDiffer("sound", reference: "ok", found: String(output.prefix(80)))
            }
            return usage
        }
        let pairs = try session.pairs("sound", reference, verification(large, models, workspace))
        return try session.times("sound", pairs, ratioAtMost: Self.limit)
            + session.memory("sound", pairs, small: verification(small, models, workspace))
    }

    /// Fails where there are findings: the store has none.
    private func verification(_ store: String, _ models: String, _ workspace: Workspace) -> Contestant {
        let process = MeasuredProgram(
            executable: session.ferry, arguments: ["verify", store, "--models", models], directory: workspace.path)
        return Contestant(name: "ferry") { try process.run().usage }
    }

    /// One statement for each table, which looks at the bytes of every value.
    private func scan(of store: String) throws -> String {
        let layout = try SQLiteStore(path: store).schema.tables
        return layout.filter { !$0.name.hasPrefix("sqlite_") }.map { table in
            let lengths = table.columns.map { "total(length(\"\($0.name)\"))" }
            return "SELECT count(*), \(lengths.joined(separator: ", ")) FROM \"\(table.name)\";\n"
        }.joined()
    }
}
