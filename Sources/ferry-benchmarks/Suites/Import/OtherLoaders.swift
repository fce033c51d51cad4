/// Tools that load CSV files into databases of their own, measured where they are installed.
enum OtherLoaders {
    /// Those that start, with what they need to load a file.
    static func installed(loading source: String, in workspace: Workspace) -> [Contestant] {
        let result = workspace.file("other.db")
        func contestant(_ name: String, _ executable: String, _ arguments: [String]) -> Contestant {
            Contestant(name: name, prepare: { try workspace.removeStore(result) }) {
                try MeasuredProgram(executable: executable, arguments: arguments, directory: workspace.path).run().usage
            }
        }
        func starts(_ executable: String, _ arguments: [String]) -> Bool {
            (try? MeasuredProgram(executable: executable, arguments: arguments, directory: workspace.path).run()) != nil
        }
        var found: [Contestant] = []
        if starts("sqlite-utils", ["--version"]) {
            found.append(
                contestant(
                    "sqlite-utils", "sqlite-utils",
                    ["insert", result, "employee", source, "--csv", "--pk", "number", "--silent"]))
        }
        // DuckDB converts what looks like numbers and times, into its own format, on all cores.
        let load = "CREATE TABLE employee AS SELECT * FROM read_csv('\(source)', header = true)"
        if starts("duckdb", ["-version"]) {
            found.append(contestant("duckdb", "duckdb", [result, load]))
        } else if starts("python3", ["-c", "import duckdb"]) {
            let program = "import duckdb; duckdb.connect(\"\(result)\").execute(\"\(load)\")"
            found.append(contestant("duckdb", "python3", ["-c", program]))
        }
        return found
    }
}
