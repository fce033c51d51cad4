import PersistentStores

/// What the suites measure and report in the same way.
extension BenchmarkSession {
    /// Below, start-up and checks of fixed cost outweigh the rows.
    private static let rowsForTargets = 1_000_000

    /// A limit that holds from a million rows on.
    func target(_ limit: Double?) -> Double? {
        options.rows >= Self.rowsForTargets ? limit : nil
    }

    /// Makes a store of all rows and one of a twentieth, both on the device.
    ///
    /// - Parameter script: the SQL that makes a store of that many rows.
    func stores(_ shell: SQLiteShell, _ script: (Int) -> String) throws -> (small: String, large: String) {
        let paths = (small: shell.workspace.file("small.sqlite"), large: shell.workspace.file("large.sqlite"))
        for (path, count) in [(paths.small, options.rows / 20), (paths.large, options.rows)] {
            note("generating a store of \(Quantity.count(Int64(count))) rows")
            _ = try shell.run(script(count), on: path)
            try FileSystem.synchronize(path)
        }
        return paths
    }

    /// Runs both sides in turn, as often as was asked for.
    func pairs(_ name: String, _ reference: Contestant, _ subject: Contestant) throws -> PairedRuns {
        note(name)
        return try PairedRuns(reference, subject, count: options.runs, note: note)
    }

    /// The figures of the times; the limit holds from a million rows on.
    func times(_ name: String, _ runs: PairedRuns, ratioAtMost limit: Double?) -> [Figure] {
        [runs.wallTime(name, ratioAtMost: target(limit)), runs.processorTime("\(name), processor")]
    }

    /// The figures of the memory, in all and beyond what a few runs with a smaller store need.
    func memory(_ name: String, _ runs: PairedRuns, small: Contestant) throws -> [Figure] {
        let small = try (0..<min(3, options.runs)).map { _ in try small.measured().peakMemory }.max() ?? 0
        return [runs.memory(name), runs.memoryGrowth(name, small: small)]
    }
}
