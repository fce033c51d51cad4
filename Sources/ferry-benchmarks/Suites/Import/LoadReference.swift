import PersistentStores

/// What SQLite's shell does with the same file: `.import` into a table without types and without any index.
///
/// It gets what speeds it up: no journal, no waiting for the device until the end. Nothing is converted, checked or
/// found.
struct LoadReference {
    let shell: SQLiteShell
    let source: String
    /// Columns of the file beside those that all have.
    var otherColumns: [String] = []

    private static let columns = ["number", "name", "email", "hired", "salary", "remark", "department"]

    /// The lines that load a CSV file into a new table of the shell's.
    static func loading(
        _ source: String, into table: String, temporary: Bool = false, with otherColumns: [String] = []
    ) -> String {
        """
        CREATE \(temporary ? "TEMP " : "")TABLE \(table) (\((columns + otherColumns).joined(separator: ", ")));
        .import --csv --skip 1 \(temporary ? "--schema temp " : "")\(source) \(table)

        """
    }

    var path: String { shell.workspace.file("reference.sqlite") }

    func contestant() -> Contestant {
        let script =
            ".bail on\nPRAGMA journal_mode = OFF;\nPRAGMA synchronous = OFF;\n"
            + Self.loading(source, into: "employee", with: otherColumns)
        return Contestant(name: "sqlite3", prepare: { try shell.workspace.removeStore(path) }) {
            let usage = try shell.run(script, on: path).usage
            try FileSystem.synchronize(path)
            try FileSystem.synchronize(FileSystem.directory(of: path))
            return usage
        }
    }
}
