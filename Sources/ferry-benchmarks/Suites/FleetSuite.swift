import ManagedObjectModels
import PersistentStores

/// Many small stores in one process, and one import in several.
struct FleetSuite: Suite {
    static let name = "fleet"
    static let abstract = "Fleets against ferry migrate in a loop, and sharded imports against one"
    static let discussion = """
        There are --stores stores of about 200 KB, of the first version of the model at --models or of a generated one.
        What is measured:

            loop    fleet plan and fleet run with one job; against ferry migrate called for each store
            jobs    the same run with two jobs; against one
            shards  an import of --rows rows in four shards, as many at a time as there are processors, and the
                    assembly of the store; against one import, which makes the same bytes

        The ratio of shards has a target from a million rows on.
        """
    static let benchmarks = ["loop", "jobs", "shards"]

    let session: BenchmarkSession

    /// The targets; two jobs are to do 1.7 times as much as one.
    private static let loopLimit = 0.5
    private static let jobsLimit = 1 / 1.7
    private static let shardsLimit = 1.3

    /// A store, its result and what is made on the way, with external data; there is the template of each as well.
    private static let bytesPerStore: Int64 = 3 << 20

    /// A row takes 75 bytes as CSV, and 140 in a store; there are two stores, and spools.
    private static let bytesPerRow: Int64 = 1200

    func run() throws -> [Figure] {
        let options = session.options
        let workspace = try Workspace(
            needing: Int64(options.stores) * Self.bytesPerStore + Int64(options.rows) * Self.bytesPerRow)
        var figures: [Figure] = []
        if session.includes("loop") || session.includes("jobs") {
            let fleet = try FleetTool(session: session, workspace: workspace)
            if session.includes("loop") {
                let pairs = try session.pairs("loop", fleet.loop(), fleet.shard(jobs: 1, named: "fleet"))
                figures.append(pairs.wallTime("loop", ratioAtMost: Self.loopLimit))
                figures += [pairs.processorTime("loop, processor"), pairs.memory("loop")]
            }
            if session.includes("jobs") {
                let pairs = try session.pairs(
                    "jobs", fleet.shard(jobs: 1, named: "one job"), fleet.shard(jobs: 2, named: "two jobs"))
                figures.append(pairs.wallTime("jobs", ratioAtMost: Self.jobsLimit))
                figures += [pairs.processorTime("jobs, processor"), pairs.memory("jobs")]
            }
            try fleet.remove()
        }
        if session.includes("shards") { figures += try shards(workspace) }
        return figures
    }

    private func shards(_ workspace: Workspace) throws -> [Figure] {
        let data = ImportData(workspace: workspace, rows: session.options.rows, note: session.note)
        try data.writeTargets()
        let imports = try ShardedImport(session: session, source: data.all(.csv), workspace: workspace)
        let pairs = try session.pairs("shards", imports.single(), imports.sharded())
        try imports.compare()
        return session.times("shards", pairs, ratioAtMost: Self.shardsLimit)
            + [pairs.memory("shards")]
    }
}
