/// SQLite's own shell, `sqlite3`.
struct SQLiteShell {
    let workspace: Workspace

    /// Runs a script on a database; the shell starts without the user's own settings.
    func run(_ script: String, on path: String) throws -> (usage: Usage, output: String) {
        let input = try workspace.write(script, to: "script.sql")
        return try MeasuredProgram(
            executable: "sqlite3", arguments: ["-batch", "-init", "/dev/null", path], input: input,
            directory: workspace.path
        ).run()
    }
}
