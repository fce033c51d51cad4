import CommandLineParsing
import Synchronization

/// A tool with commands of every kind, which keeps what its commands were given.
final class SampleTool: Sendable {
    private let given = Mutex<[SampleOptions]>([])

    /// The options of the commands that were run, in order.
    var runs: [SampleOptions] { given.withLock { $0 } }

    var table: CommandTable {
        CommandTable(
            tool: "ferry", version: "1.2.3", abstract: "carries data across",
            commands: [
                Command(
                    "migrate", "Migrate a store",
                    discussion: """
                        The first paragraph is long enough to be wrapped by the help, which it has to be \
                        since it does not fit a terminal of eighty columns.

                            ferry migrate Store.sqlite --models App.xcdatamodeld
                        """,
                    operands: .one("STORE")
                ) { [self] (options: SampleOptions) in
                    given.withLock { $0.append(options) }
                    return options.dryRun ? .findings : .done
                },
                Command("import", "Import records", operands: .atLeast(1, "SOURCE...")) { (options: SampleOptions) in
                    guard options.output != nil else { throw UsageError.missing("--output FILE") }
                    return .done
                },
                Command(
                    "mapping", "Work on mapping models",
                    commands: [
                        Command("check", "Check a mapping model", operands: .one("FILE")) { (_: NoOptions) in .done },
                        Command("infer", "Infer a mapping model") { (_: RequiredOptions) in .done },
                    ]),
            ])
    }
}
