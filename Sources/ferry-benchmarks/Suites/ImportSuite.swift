import PersistentStores
import StoreMigration

/// Imports of one file in several formats, into new stores and into stores that hold objects.
struct ImportSuite: Suite {
    static let name = "import"
    static let abstract = "Imports against SQLite's shell, xmllint, and other loaders"
    static let discussion = """
        Every employee has seven columns: a unique number, texts, a time, a decimal, and the code of one of 500
        departments. What is measured:

            new     a CSV file into a new store, with its indexes; against .import in the sqlite3 shell into a table
                    without types and indexes, and an fsync
            created the same file, with departments that are made because an employee names them
            required the same file, with a department of a hundred that is missing and rejects its employees
            several the same file, each record of which makes an employee and its department
            lists   the same file with three of 3000 projects in each record, many-to-many; the shell's .import keeps
                    them as text
            ordered the same, where both sides of the many-to-many are in order
            forward the file with the number of another employee, who comes later, in each record
            again   the same file onto that store, where nothing changes; against the first run
            upsert  half as many records, half of them there with other values, into that store; against .import into a
                    temporary table and INSERT ... ON CONFLICT DO UPDATE in the shell
            growth  half as many records as objects, half of them there, into a store of twice as many objects; against
                    a store of a tenth; times are those of a million records. The same with the shell's upsert
            few     a twentieth as many records, half of them there, into a store of twice as many objects; against the
                    shell's upsert
            xml     the file as XML into a new store; against xmllint --stream --noout
            json    the file as one JSON object a line into a new store; against the CSV file
            curve   a twentieth of the rows up to ten times as many, into new stores, with departments of a file and
                    made ones; only if it is named
            others  sqlite-utils and DuckDB with the CSV file, if they are installed

        Memory is compared with that of a twentieth of the rows. Ratios have targets from a million rows on: below,
        start-up and checks of fixed cost outweigh the rows.
        """
    static let benchmarks = [
        "new", "created", "required", "several", "lists", "ordered", "forward", "again", "upsert", "growth", "few",
        "xml", "json", "curve", "others",
    ]

    let session: BenchmarkSession

    /// The targets.
    private static let newLimit = 0.4
    private static let createdLimit = 0.45
    private static let requiredLimit = 0.5
    private static let severalLimit = 0.6
    private static let listsLimit = 0.9
    private static let orderedLimit = 1.0
    private static let forwardLimit = 0.5
    private static let againLimit = 1.0
    private static let upsertLimit = 1.5
    private static let growthLimit = 1.5
    private static let xmlLimit = 2.5

    /// A row takes 75 bytes as CSV, 190 as XML and 170 as JSON, and 140 in a store; there are files of three rows each
    /// and stores of eight at the most, and what the shell keeps beside its own.
    private static let bytesPerRow: Int64 = 2400
    /// The last file of the curve has ten rows for each, and makes two stores.
    private static let bytesOfCurve: Int64 = 4500

    func run() throws -> [Figure] {
        let rows = session.options.rows
        let isCurve = session.options.operands.contains("curve")
        let workspace = try Workspace(
            needing: Int64(rows) * (Self.bytesPerRow + (isCurve ? Self.bytesOfCurve : 0)))
        let data = ImportData(workspace: workspace, rows: rows, note: session.note)
        let tool = ImportTool(session: session, workspace: workspace)
        let shell = SQLiteShell(workspace: workspace)
        try data.writeTargets()

        var figures: [Figure] = []
        if session.includes("new") { figures += try new(tool, shell, data) }
        if session.includes("created") {
            figures += try load("created", .create, shell, tool, data, ratioAtMost: Self.createdLimit)
        }
        if session.includes("required") {
            figures += try load("required", .error, shell, tool, data, ratioAtMost: Self.requiredLimit)
        }
        if session.includes("several") {
            figures += try load("several", .record, shell, tool, data, ratioAtMost: Self.severalLimit)
        }
        if session.includes("lists") {
            figures += try lists(.lists, tool, shell, data, ratioAtMost: Self.listsLimit)
        }
        if session.includes("ordered") {
            figures += try lists(.ordered, tool, shell, data, ratioAtMost: Self.orderedLimit)
        }
        if session.includes("forward") { figures += try forward(tool, shell, data, ratioAtMost: Self.forwardLimit) }
        if session.includes("again") { figures += try again(tool, data) }
        if session.includes("upsert") { figures += try upsert(tool, shell, data) }
        if session.includes("growth") { figures += try growth(tool, shell, data) }
        if session.includes("few") { figures += try few(tool, shell, data) }
        if session.includes("xml") { figures += try xml(tool, data) }
        if session.includes("json") { figures += try json(tool, data) }
        // Sizes of ten times as many rows are measured if they are asked for.
        if isCurve { figures += try curve(tool, shell, data) }
        if session.includes("others") { figures += try others(tool, data) }
        return figures
    }

    private func new(_ tool: ImportTool, _ shell: SQLiteShell, _ data: ImportData) throws -> [Figure] {
        let reference = LoadReference(shell: shell, source: try data.all(.csv))
        let runs = try session.pairs("new", reference.contestant(), tool.load(reference.source))
        let wanted = try shell.run(
            "SELECT count(*), sum(number), sum(length(name)), sum(unixepoch(hired) - 978307200), "
                + "sum(CAST(salary * 100 + 0.5 AS INTEGER)), count(nullif(remark, '')), count(DISTINCT department) FROM employee;",
            on: reference.path
        ).output
        let found = try shell.run(
            "SELECT count(*), sum(ZNUMBER), sum(length(ZNAME)), CAST(sum(ZHIRED) AS INTEGER), "
                + "sum(CAST(ZSALARY * 100 + 0.5 AS INTEGER)), count(ZREMARK), count(DISTINCT ZDEPARTMENT) FROM ZEMPLOYEE;",
            on: tool.result
        ).output
        guard wanted == found else { throw BenchmarkError.resultsDiffer("new", reference: wanted, found: found) }
        try shell.workspace.removeStore(reference.path)
        return try session.times("new", runs, ratioAtMost: Self.newLimit)
            + session.memory("new", runs, small: tool.load(data.small(.csv)))
    }

    /// The CSV file into a new store, with departments that may be missing.
    private func load(
        _ name: String, _ shape: StaffMapping.Shape, _ shell: SQLiteShell, _ tool: ImportTool, _ data: ImportData,
        ratioAtMost limit: Double
    ) throws -> [Figure] {
        let reference = LoadReference(shell: shell, source: try data.all(.csv))
        let runs = try session.pairs(name, reference.contestant(), tool.load(reference.source, shape: shape))
        let wanted = try shell.run(
            "SELECT count(*), sum(number), count(DISTINCT department) FROM employee"
                + (shape == .error ? " WHERE CAST(substr(department, 2) AS INTEGER) <= 495;" : ";"),
            on: reference.path
        ).output
        let found = try shell.run(
            "SELECT count(*), sum(ZNUMBER), count(DISTINCT ZDEPARTMENT) FROM ZEMPLOYEE;", on: tool.result
        ).output
        guard wanted == found else { throw BenchmarkError.resultsDiffer(name, reference: wanted, found: found) }
        try shell.workspace.removeStore(reference.path)
        return try session.times(name, runs, ratioAtMost: limit)
            + session.memory(name, runs, small: tool.load(data.small(.csv), shape: shape))
    }

    private func again(_ tool: ImportTool, _ data: ImportData) throws -> [Figure] {
        let (large, small) = (try data.all(.csv), try data.small(.csv))
        let (store, smallStore) = (try data.store(of: large, tool), try data.store(of: small, tool))
        let runs = try session.pairs("again", tool.load(large, named: "first"), tool.fill(store, from: large))
        return try session.times("again", runs, ratioAtMost: Self.againLimit)
            + session.memory("again", runs, small: tool.fill(smallStore, from: small))
    }

    private func upsert(_ tool: ImportTool, _ shell: SQLiteShell, _ data: ImportData) throws -> [Figure] {
        let store = try data.store(of: try data.all(.csv), tool)
        let source = try data.changes(of: data.rows, records: data.rows / 2)
        let reference = UpsertReference(shell: shell, source: source, template: store)
        let runs = try session.pairs("upsert", reference.contestant(), tool.fill(store, from: source))
        let summary =
            "SELECT count(*), sum(ZNUMBER), sum(length(ZNAME)), CAST(sum(ZHIRED) AS INTEGER), sum(Z_OPT), "
            + "CAST(sum(ZSALARY * 100) AS INTEGER), count(ZREMARK), sum(ZDEPARTMENT) FROM ZEMPLOYEE;"
        let (wanted, found) = (
            try shell.run(summary, on: reference.path).output, try shell.run(summary, on: tool.filled()).output
        )
        guard wanted == found else { throw BenchmarkError.resultsDiffer("upsert", reference: wanted, found: found) }
        try shell.workspace.removeStore(reference.path)
        let smallStore = try data.store(of: try data.small(.csv), tool)
        let few = try data.changes(of: data.rows / 20, records: data.rows / 40)
        return try session.times("upsert", runs, ratioAtMost: Self.upsertLimit)
            + session.memory("upsert", runs, small: tool.fill(smallStore, from: few))
    }

    private func growth(_ tool: ImportTool, _ shell: SQLiteShell, _ data: ImportData) throws -> [Figure] {
        let (few, many) = (data.rows / 10, data.rows * 2)
        let fewStore = try data.store(of: try data.employees(few, .csv, named: "few"), tool)
        let manyStore = try data.store(of: try data.employees(many, .csv, named: "many"), tool)
        let intoFew = try data.changes(of: few, records: few / 2)
        let intoMany = try data.changes(of: many, records: many / 2)
        let runs = try session.pairs(
            "growth", tool.fill(fewStore, from: intoFew, named: "few"),
            tool.fill(manyStore, from: intoMany, named: "many"))
        let shellRuns = try session.pairs(
            "growth, sqlite3", UpsertReference(shell: shell, source: intoFew, template: fewStore).contestant(),
            UpsertReference(shell: shell, source: intoMany, template: manyStore).contestant())
        try shell.workspace.removeStore(UpsertReference(shell: shell, source: intoMany, template: manyStore).path)
        func figure(_ name: String, _ runs: PairedRuns, _ limit: Double?) -> Figure {
            runs.wallTimePerMillion(
                name, referenceRecords: few / 2, subjectRecords: many / 2, ratioAtMost: session.target(limit))
        }
        return [figure("growth", runs, Self.growthLimit), figure("growth, sqlite3", shellRuns, nil)]
            + [runs.memory("growth"), runs.memoryGrowth("growth", small: runs.referenceMemory)]
    }

    private func few(_ tool: ImportTool, _ shell: SQLiteShell, _ data: ImportData) throws -> [Figure] {
        let many = data.rows * 2
        let store = try data.store(of: try data.employees(many, .csv, named: "many"), tool)
        let source = try data.changes(of: many, records: data.rows / 20)
        let reference = UpsertReference(shell: shell, source: source, template: store)
        let runs = try session.pairs("few", reference.contestant(), tool.fill(store, from: source))
        try shell.workspace.removeStore(reference.path)
        try tool.workspace.removeStore(store)
        return session.times("few", runs, ratioAtMost: Self.upsertLimit)
    }

    private func xml(_ tool: ImportTool, _ data: ImportData) throws -> [Figure] {
        let source = try data.all(.xml)
        let process = MeasuredProgram(
            executable: "xmllint", arguments: ["--stream", "--noout", source], directory: tool.workspace.path)
        do {
            try process.run()
        } catch BenchmarkError.cannotStart {
            session.note("xml: skipped, as there is no xmllint")
            return []
        }
        let runs = try session.pairs(
            "xml", Contestant(name: "xmllint") { try process.run().usage }, tool.load(source, as: .xml))
        return try session.times("xml", runs, ratioAtMost: Self.xmlLimit)
            + session.memory("xml", runs, small: tool.load(data.small(.xml), as: .xml))
    }

    private func json(_ tool: ImportTool, _ data: ImportData) throws -> [Figure] {
        let runs = try session.pairs(
            "json", tool.load(data.all(.csv), named: "CSV"), tool.load(data.all(.ndjson), as: .ndjson))
        return try session.times("json", runs, ratioAtMost: nil)
            + session.memory("json", runs, small: tool.load(data.small(.ndjson), as: .ndjson))
    }

    private func others(_ tool: ImportTool, _ data: ImportData) throws -> [Figure] {
        let source = try data.all(.csv)
        return try OtherLoaders.installed(loading: source, in: tool.workspace).flatMap { other in
            session.times(
                "new, \(other.name)", try session.pairs(other.name, other, tool.load(source)), ratioAtMost: nil)
        }
    }
}
