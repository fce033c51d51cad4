/// Benchmarks that share their data and are asked for by one name, as in `ferry-benchmarks migrate`.
protocol Suite: Sendable {
    static var name: String { get }

    /// One line, without a full stop.
    static var abstract: String { get }

    /// What is measured against what.
    static var discussion: String { get }

    /// The names of its benchmarks; empty if there is only one.
    static var benchmarks: [String] { get }

    init(session: BenchmarkSession)

    /// Generates the data, runs what the session asks for, and removes the data.
    func run() throws -> [Figure]
}
