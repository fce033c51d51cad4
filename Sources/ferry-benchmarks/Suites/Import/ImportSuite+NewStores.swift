import PersistentStores

/// Lists of links, references to what comes later, and imports of growing size.
extension ImportSuite {
    /// A CSV file with three projects in each record into a new store.
    func lists(
        _ shape: StaffMapping.Shape, _ tool: ImportTool, _ shell: SQLiteShell, _ data: ImportData,
        ratioAtMost limit: Double
    ) throws -> [Figure] {
        let name = shape.rawValue
        let reference = LoadReference(
            shell: shell, source: try data.employees(data.rows, with: .projects), otherColumns: ["projects"])
        let runs = try session.pairs(name, reference.contestant(), tool.load(reference.source, shape: shape))
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
        guard wanted == found else { throw BenchmarkError.resultsDiffer(name, reference: wanted, found: found) }
        try shell.workspace.removeStore(reference.path)
        return try session.times(name, runs, ratioAtMost: limit)
            + session.memory(
                name, runs, small: tool.load(data.employees(data.rows / 20, with: .projects), shape: shape))
    }

    /// A CSV file whose records name others that come later into a new store.
    func forward(
        _ tool: ImportTool, _ shell: SQLiteShell, _ data: ImportData, ratioAtMost limit: Double
    ) throws -> [Figure] {
        let reference = LoadReference(
            shell: shell, source: try data.employees(data.rows, with: .manager), otherColumns: ["manager"])
        let runs = try session.pairs("forward", reference.contestant(), tool.load(reference.source, shape: .forward))
        let wanted = try shell.run("SELECT count(*), sum(number), sum(manager) FROM employee;", on: reference.path)
            .output
        let found = try shell.run(
            "SELECT count(*), sum(e.ZNUMBER), sum(m.ZNUMBER) FROM ZEMPLOYEE AS e "
                + "JOIN ZEMPLOYEE AS m ON m.Z_PK = e.ZMANAGER;", on: tool.result
        ).output
        guard wanted == found else { throw BenchmarkError.resultsDiffer("forward", reference: wanted, found: found) }
        try shell.workspace.removeStore(reference.path)
        return try session.times("forward", runs, ratioAtMost: limit)
            + session.memory(
                "forward", runs, small: tool.load(data.employees(data.rows / 20, with: .manager), shape: .forward))
    }

    /// CSV files of growing size into new stores: neither the ratio nor the memory has a step.
    func curve(_ tool: ImportTool, _ shell: SQLiteShell, _ data: ImportData) throws -> [Figure] {
        try [data.rows / 20, data.rows / 2, data.rows * 2, data.rows * 4, data.rows * 10].flatMap { count in
            let source = try data.employees(count, .csv, named: "curve-\(count)")
            let reference = LoadReference(shell: shell, source: source)
            let figures = try [StaffMapping.Shape.skip, .create].flatMap { shape in
                let name = "curve, \(shape == .skip ? "new" : "created"), \(count)"
                let runs = try session.pairs(name, reference.contestant(), tool.load(source, shape: shape))
                return session.times(name, runs, ratioAtMost: nil) + [runs.memory(name)]
            }
            try shell.workspace.removeStore(reference.path)
            try FileSystem.remove(source)
            return figures
        }
    }
}
