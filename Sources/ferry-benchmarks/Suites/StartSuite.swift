/// How long the tool takes to say something that needs no work.
struct StartSuite: Suite {
    static let name = "start"
    static let abstract = "Start-up of the tool"
    static let discussion =
        "\"ferry --help\" against /bin/true: the difference is what every command pays before it begins."

    static let benchmarks: [String] = []

    let session: BenchmarkSession

    /// A start takes milliseconds: more runs cost nothing.
    private static let startsPerRun = 20

    /// The target: three times as long as nothing, and what the dynamic linker needs for the libraries.
    private static let limitRatio = 3.0
    private static let limitSeconds = 0.010

    func run() throws -> [Figure] {
        let workspace = try Workspace(needing: 1 << 20)
        let nothing = MeasuredProgram(executable: "/bin/true", arguments: [], directory: workspace.path)
        let help = MeasuredProgram(executable: session.ferry, arguments: ["--help"], directory: workspace.path)
        let pairs = try PairedRuns(
            Contestant(name: "true") { try nothing.run().usage },
            Contestant(name: "ferry --help") { try help.run().usage },
            count: session.options.runs * Self.startsPerRun, note: { _ in })
        var start = pairs.wallTime("start", ratioAtMost: nil)
        start.limit = .value(Self.limitRatio * (start.reference ?? 0) + Self.limitSeconds)
        return [start, pairs.processorTime("start, processor")]
    }
}
