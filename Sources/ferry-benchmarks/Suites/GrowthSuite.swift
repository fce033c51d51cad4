import PersistentStores

/// What a record costs in imports of three sizes: the same in each, where time and memory do not grow with the number.
struct GrowthSuite: Suite {
    static let name = "growth"
    static let abstract = "The cost of a record in imports and drafts of three sizes"
    static let discussion = """
        Each is run with a quarter of the records, with half of them, and with all; times are those of a million records,
        and are compared with those of the quarter. A fiftieth of --rows is the number of records. What is measured:

            parts    objects with ten ordered parts each, from JSON, into a new store
            rejects  records of which every fifth is rejected because it names an object that never comes, with a to-one
                     and an ordered list of others
            limits   records of the members of 20 clubs that the model limits, written by SQLite
            files    files of one record each
            draft    a draft of one JSON object whose members are the records
            members  a draft of one JSON record with so many members, which are not attributes
            tables   a draft of a database: a five-hundredth of --rows are its tables

        The memory of the largest size must not exceed 64 MiB.
        """
    static let benchmarks = GrowthCase.allCases.map(\.rawValue)

    let session: BenchmarkSession

    /// The cost of a record may be so much higher among four times as many.
    private static let limit = 1.5

    func run() throws -> [Figure] {
        let records = session.options.rows / 50
        // A record takes at most 400 bytes in its source, and twice that in a store and beside it.
        let workspace = try Workspace(needing: Int64(records) * 2400)
        let models = try GrowthModel.write(to: workspace)
        return try GrowthCase.allCases.filter { session.includes($0.rawValue) }.flatMap { measured in
            let most = max(40, records / measured.divisor)
            let quarter = try contestant(measured, most / 4, models, workspace)
            return try [most / 2, most].flatMap { count in
                let name = "\(measured.rawValue), \(count)"
                let runs = try session.pairs(name, quarter, contestant(measured, count, models, workspace))
                let time = runs.wallTimePerMillion(
                    name, referenceRecords: most / 4, subjectRecords: count,
                    ratioAtMost: session.target(Self.limit))
                return [time, runs.memory(name)]
            }
        }
    }

    private func contestant(
        _ measured: GrowthCase, _ count: Int, _ models: String, _ workspace: Workspace
    ) throws -> Contestant {
        let sources = try measured.write(count, to: workspace)
        let mapping = try workspace.write(measured.mapping, to: "\(measured.rawValue).yaml")
        let store = workspace.file("grown.sqlite")
        let arguments =
            measured.isDraft
            ? ["--draft-mapping"]
            : ["--store", store, "--mapping", mapping, "--progress", "none"] + measured.options
        let process = MeasuredProgram(
            executable: session.ferry, arguments: ["import"] + sources + ["--models", models] + arguments,
            directory: workspace.path, accepted: [0, 1])
        return Contestant(name: "\(count) records", prepare: { try workspace.removeStore(store) }) {
            try process.run().usage
        }
    }
}
