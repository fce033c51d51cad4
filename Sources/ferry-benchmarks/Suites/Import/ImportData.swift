import PersistentStores

/// The files and stores of the import benchmarks, made when they are first asked for.
final class ImportData {
    let workspace: Workspace
    let rows: Int
    private let note: (String) -> Void

    init(workspace: Workspace, rows: Int, note: @escaping (String) -> Void) {
        self.workspace = workspace
        self.rows = rows
        self.note = note
    }

    /// Writes what employees refer to.
    func writeTargets() throws {
        try write(StaffData.projects(), to: workspace.file("projects.csv"))
        try write(StaffData.departments(), to: workspace.file("departments.csv"))
        try write(StaffData.departments(share: 99), to: workspace.file("departments-some.csv"))
    }

    /// All employees.
    func all(_ format: StaffData.Format) throws -> String {
        try employees(rows, format, named: "all")
    }

    /// A twentieth of them.
    func small(_ format: StaffData.Format) throws -> String {
        try employees(rows / 20, format, named: "small")
    }

    /// So many employees, with another column.
    func employees(_ count: Int, with column: StaffData.OtherColumn) throws -> String {
        try file("employees-\(column.rawValue)-\(count).csv", StaffData(first: count, with: column), .csv)
    }

    func employees(_ count: Int, _ format: StaffData.Format, named name: String) throws -> String {
        try file("employees-\(name).\(format.rawValue)", StaffData(first: count), format)
    }

    /// So many records, of which half change objects of a store of so many rows, and the others are new.
    func changes(of rows: Int, records: Int) throws -> String {
        try file("employees-changes-\(rows)-\(records).csv", StaffData(changing: records, of: rows), .csv)
    }

    /// The store that a CSV file makes.
    func store(of source: String, _ tool: ImportTool) throws -> String {
        let path = source + ".sqlite"
        if !FileSystem.exists(path) {
            note("importing \(source)")
            try tool.load(source, as: .csv, into: path)
        }
        return path
    }

    private func file(_ name: String, _ data: StaffData, _ format: StaffData.Format) throws -> String {
        let path = workspace.file(name)
        if !FileSystem.exists(path) {
            note("generating \(name)")
            try write(data.script(format), to: path)
        }
        return path
    }

    /// Runs a script in SQLite's shell, and keeps what it prints.
    private func write(_ script: String, to path: String) throws {
        let input = try workspace.write(script, to: "script.sql")
        _ = try MeasuredProgram(
            executable: "sqlite3",
            arguments: ["-batch", "-init", "/dev/null", ":memory:", ".output \(path)", ".read \(input)"],
            directory: workspace.path
        ).run()
        try FileSystem.synchronize(path)
    }
}
