import PersistentStores
import StoreMigration

/// Conversions of one store of two sizes between the types of stores.
struct ConvertSuite: Suite {
    static let name = "convert"
    static let abstract = "Conversions between types against SQLite's shell and xmllint"
    static let discussion = """
        Every order has ten attributes, a customer among 500, and on average one of 1000 tags. What is measured:

            write-xml   from SQLite to XML; against .dump of the sqlite3 shell into a file, and an fsync
            read-xml    from XML to SQLite; against xmllint --stream --noout, which only parses the file
            binary      from SQLite to binary; against the same .dump
            sqlite      from SQLite to SQLite; against the same without the builder, as SQLite inserts the rows

        Memory is compared with that of the same conversion of a store of a twentieth of the rows. Ratios have targets
        from a million rows on.
        """
    static let benchmarks = ["write-xml", "read-xml", "binary", "sqlite"]

    let session: BenchmarkSession

    /// The targets.
    private static let writeLimit = 2.0
    private static let readLimit = 2.5

    /// An order takes about 230 bytes in SQLite, 900 in XML, and 1000 in a binary store.
    private static let bytesPerRow: Int64 = 4_000

    func run() throws -> [Figure] {
        let workspace = try Workspace(needing: Int64(session.options.rows) * Self.bytesPerRow)
        let models = try OrderModels.write(to: workspace)
        let store = try OrderStore(try VersionCatalog(paths: [models]), .original)
        let shell = SQLiteShell(workspace: workspace)
        let (small, large) = try session.stores(shell) { store.script(rows: $0) }
        var figures: [Figure] = []
        for (name, type) in [("write-xml", "xml"), ("binary", "binary")] where session.includes(name) {
            let pairs = try session.pairs(name, dump(large, shell), conversion(large, to: type, models, workspace))
            figures += session.times(name, pairs, ratioAtMost: type == "xml" ? Self.writeLimit : nil)
            figures += try session.memory(name, pairs, small: conversion(small, to: type, models, workspace))
        }
        if session.includes("sqlite") {
            let pairs = try session.pairs(
                "sqlite", conversion(large, to: "sqlite", models, workspace, writer: "sqlite"),
                conversion(large, to: "sqlite", models, workspace))
            figures += session.times("sqlite", pairs, ratioAtMost: nil)
            figures += try session.memory("sqlite", pairs, small: conversion(small, to: "sqlite", models, workspace))
        }
        try FileSystem.remove(workspace.file("dump.sql"))
        try FileSystem.remove(workspace.file("result.binary"))
        if session.includes("read-xml") {
            var files: [String: String] = [:]
            for (name, path) in [("small", small), ("large", large)] {
                _ = try conversion(path, to: "xml", models, workspace).measured()
                files[name] = workspace.file("\(name).xml")
                try FileSystem.rename(workspace.file("result.xml"), to: workspace.file("\(name).xml"))
            }
            let (small, large) = (files["small"] ?? "", files["large"] ?? "")
            let process = MeasuredProgram(
                executable: "xmllint", arguments: ["--stream", "--noout", large], directory: workspace.path)
            let pairs = try session.pairs(
                "read-xml", Contestant(name: "xmllint") { try process.run().usage },
                conversion(large, to: "sqlite", models, workspace))
            figures += session.times("read-xml", pairs, ratioAtMost: Self.readLimit)
            figures += try session.memory("read-xml", pairs, small: conversion(small, to: "sqlite", models, workspace))
        }
        return figures
    }

    /// All rows as SQL in a file that is on the device.
    private func dump(_ store: String, _ shell: SQLiteShell) -> Contestant {
        let path = shell.workspace.file("dump.sql")
        return Contestant(name: "sqlite3", prepare: { try FileSystem.remove(path) }) {
            let usage = try shell.run(".output \(path)\n.dump\n", on: store).usage
            try FileSystem.synchronize(path)
            return usage
        }
    }

    private func conversion(
        _ store: String, to type: String, _ models: String, _ workspace: Workspace, writer: String = "auto"
    ) -> Contestant {
        let result = workspace.file("result." + type)
        let process = MeasuredProgram(
            executable: session.ferry,
            arguments: [
                "convert", store, "--models", models, "--to", type, "--output", result, "--progress", "none",
                "--writer", writer,
            ], directory: workspace.path)
        return Contestant(name: writer == "auto" ? "ferry" : "inserts", prepare: { try workspace.removeStore(result) })
        { try process.run().usage }
    }
}
