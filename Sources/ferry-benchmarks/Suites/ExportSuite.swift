import PersistentStores
import StoreMigration

/// Exports of a store's orders as CSV and as JSON lines.
struct ExportSuite: Suite {
    static let name = "export"
    static let abstract = "Exports against SQLite's shell"
    static let discussion = """
        Every order has ten attributes of nine types: dates, decimals, reals, UUIDs, texts. What is measured:

            csv     the attributes of all orders into a CSV file; against sqlite3 -csv with the same columns, as they are
                    stored, and an fsync
            keys    the same with the customer, who stands for a name; against sqlite3 -csv with a join
            json    the attributes as JSON lines; against the CSV file of the tool itself

        Memory is compared with that of a twentieth of the rows. Ratios have targets from a million rows on.
        """
    static let benchmarks = ["csv", "keys", "json"]

    let session: BenchmarkSession

    /// The targets.
    private static let limit = 1.2

    /// A row takes about 230 bytes in a store and 150 in a file, of which there are two.
    private static let bytesPerRow: Int64 = 700

    private static let attributes = [
        "isPaid", "placed", "price", "priority", "quantity", "ratio", "reference", "serial", "title", "weight",
    ]

    func run() throws -> [Figure] {
        let rows = session.options.rows
        let workspace = try Workspace(needing: Int64(rows) * Self.bytesPerRow)
        let models = try OrderModels.write(to: workspace)
        let original = try OrderStore(VersionCatalog(paths: [models]), .original)
        let shell = SQLiteShell(workspace: workspace)
        let (small, large) = try session.stores(shell) { original.script(rows: $0) }
        func tool(_ store: String, _ format: String, _ columns: [String]) -> Contestant {
            let result = workspace.file("\(store == large ? "result" : "small").\(format)")
            return Contestant(name: "ferry", prepare: { try? FileSystem.remove(result) }) {
                try MeasuredProgram(
                    executable: session.ferry,
                    arguments: ["export", store, "--models", models, "--entity", "Order", "--format", format]
                        + ["--columns", columns.joined(separator: ","), "--output", result],
                    directory: workspace.path
                ).run().usage
            }
        }
        func reference(_ sql: String) -> Contestant {
            let result = workspace.file("reference.csv")
            return Contestant(name: "sqlite3", prepare: { try? FileSystem.remove(result) }) {
                let usage = try shell.run(".headers on\n.mode csv\n.once '\(result)'\n\(sql);\n", on: large).usage
                try FileSystem.synchronize(result)
                return usage
            }
        }
        let stored = Self.attributes.map { "o.Z" + $0.uppercased() }.joined(separator: ", ")
        let byName = Self.attributes + ["customer.name"]
        var figures: [Figure] = []
        if session.includes("csv") {
            figures += try compared(
                "csv", reference("SELECT \(stored) FROM ZORDER o ORDER BY o.Z_PK"), tool(large, "csv", Self.attributes),
                small: tool(small, "csv", Self.attributes), limit: Self.limit)
            try check(shell, workspace.file("result.csv"), rows: rows)
        }
        if session.includes("keys") {
            let join =
                "SELECT \(stored), c.ZNAME FROM ZORDER o LEFT JOIN ZCUSTOMER c ON c.Z_PK = o.ZCUSTOMER ORDER BY o.Z_PK"
            figures += try compared(
                "keys", reference(join), tool(large, "csv", byName), small: tool(small, "csv", byName),
                limit: Self.limit)
        }
        if session.includes("json") {
            figures += try compared(
                "json", tool(large, "csv", Self.attributes), tool(large, "ndjson", Self.attributes),
                small: tool(small, "ndjson", Self.attributes), limit: nil)
        }
        return figures
    }

    /// Whether the file has a line for each order, and one for the names.
    private func check(_ shell: SQLiteShell, _ path: String, rows: Int) throws {
        let counted = try MeasuredProgram(
            executable: "wc", arguments: ["-l", path], directory: shell.workspace.path
        ).run().output
        let lines = counted.split(separator: " ").first.map(String.init) ?? ""
        guard lines == "\(rows + 1)" else {
            throw BenchmarkError.resultsDiffer("csv", reference: "\(rows + 1) lines", found: lines)
        }
    }

    private func compared(
        _ name: String, _ reference: Contestant, _ subject: Contestant, small: Contestant, limit: Double?
    ) throws -> [Figure] {
        let pairs = try session.pairs(name, reference, subject)
        return try session.times(name, pairs, ratioAtMost: limit) + session.memory(name, pairs, small: small)
    }
}
