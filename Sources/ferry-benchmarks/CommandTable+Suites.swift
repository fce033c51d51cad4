import CommandLineParsing

extension CommandTable {
    /// One command per suite; a new suite is a file in `Suites` and a name here.
    static let benchmarks = CommandTable(
        tool: "ferry-benchmarks", version: "0.1.0",
        abstract: "Measure ferry against references that do the same work",
        commands: [
            .suite(ConvertSuite.self), .suite(ExportSuite.self), .suite(FleetSuite.self), .suite(GrowthSuite.self),
            .suite(ImportSuite.self), .suite(MappingSuite.self), .suite(MigrateSuite.self), .suite(ModelsSuite.self),
            .suite(ObjectsSuite.self), .suite(StartSuite.self),
            .suite(VerifySuite.self), .objectsRun, .policyRun, .policyProgram,
        ])
}

extension Command {
    fileprivate static func suite<Chosen: Suite>(_ suite: Chosen.Type) -> Command {
        let benchmarks = suite.benchmarks
        let operands =
            benchmarks.isEmpty
            ? OperandRule.none
            : OperandRule("[\(benchmarks.joined(separator: "|"))]...", 0, upTo: .max, completion: .words(benchmarks))
        return Command(
            suite.name, suite.abstract, discussion: suite.discussion, operands: operands, options: BenchmarkOptions.self
        ) { options in
            if let word = options.operands.first(where: { !benchmarks.contains($0) }) {
                throw UsageError.badOperand(word, expected: benchmarks.joined(separator: ", "), among: benchmarks)
            }
            let session = try BenchmarkSession(options, suite: suite.name)
            let figures = try suite.init(session: session).run()
            let report = BenchmarkReport(session, figures: figures)
            BenchmarkConsole.print(options.isJSON ? try report.json() : report.text())
            return figures.allSatisfy(\.isMet) ? .done : .findings
        }
    }
}
