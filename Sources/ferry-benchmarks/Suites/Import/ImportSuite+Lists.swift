/// Lists of links.
extension ImportSuite {
    /// A CSV file with three projects in each record into a new store.
    func lists(
        _ tool: ImportTool, _ shell: SQLiteShell, _ data: ImportData, ratioAtMost limit: Double
    ) throws -> [Figure] {
        let reference = LoadReference(
            shell: shell, source: try data.members(data.rows), otherColumns: ["projects"])
        let runs = try session.pairs("lists", reference.contestant(), tool.load(reference.source, missing: .lists))
        let links = StaffData.projectsOfEmployee
        let wanted = try shell.run(
            "SELECT \(links) * count(*), \(links) * sum(number), sum(length(replace(projects, ';', ''))) FROM employee;",
            on: reference.path
        ).output
        let found = try shell.run(
            "SELECT count(*), sum(e.ZNUMBER), sum(length(p.ZCODE)) FROM Z_2PROJECTS AS l "
                + "JOIN ZEMPLOYEE AS e ON e.Z_PK = l.Z_2MEMBERS JOIN ZPROJECT AS p ON p.Z_PK = l.Z_3PROJECTS;",
            on: tool.result
        ).output
        guard wanted == found else { throw BenchmarkError.resultsDiffer("lists", reference: wanted, found: found) }
        try shell.workspace.removeStore(reference.path)
        return try session.times("lists", runs, ratioAtMost: limit)
            + session.memory("lists", runs, small: tool.load(data.members(data.rows / 20), missing: .lists))
    }
}
