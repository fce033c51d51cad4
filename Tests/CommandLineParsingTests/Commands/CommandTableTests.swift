import CommandLineParsing
import Testing

@Suite struct CommandTableTests {
    private let tool = SampleTool()

    private func printed(_ words: String...) throws -> String {
        guard case .print(let text) = try tool.table.parse(words) else {
            Issue.record("\(words) runs a command")
            return ""
        }
        return text
    }

    private func run(_ words: String...) throws -> CommandLineParsing.ExitStatus {
        guard case .run(let work) = try tool.table.parse(words) else {
            Issue.record("\(words) prints")
            return .failed
        }
        return try work()
    }

    private func refusal(_ words: String...) -> UsageError? {
        do {
            _ = try tool.table.parse(words)
            return nil
        } catch {
            return error
        }
    }

    @Test func aCommandRunsWithItsOptionsAndItsStatusComesBack() throws {
        #expect(try run("migrate", "Store.sqlite", "--rows", "3") == .done)
        #expect(try run("migrate", "Store.sqlite", "--dry-run") == .findings)
        #expect(tool.runs.map(\.operands) == [["Store.sqlite"], ["Store.sqlite"]])
        #expect(tool.runs.map(\.rows) == [3, 1000])
    }

    @Test func parsingAloneRunsNothing() throws {
        _ = try tool.table.parse(["migrate", "Store.sqlite"])
        #expect(tool.runs.isEmpty)
    }

    @Test func aCommandOfAGroupRuns() throws {
        #expect(try run("mapping", "check", "x.yaml") == .done)
        #expect(try run("mapping", "infer", "--from", "1") == .done)
    }

    @Test func helpIsGivenWhereverItIsAskedFor() throws {
        let help = try printed("migrate", "--help")
        #expect(help.hasPrefix("Migrate a store.\n\nUsage: ferry migrate STORE [options]\n"))
        #expect(try printed("migrate", "--unknown", "a", "b", "-h") == help)
        #expect(try printed("help", "migrate") == help)
        let own = try printed("--help")
        #expect(own.hasPrefix("ferry: carries data across\n"))
        #expect(try printed("-h") == own)
        #expect(try printed("help") == own)
        #expect(try printed("--unknown", "--help") == own)
        #expect(try printed("unknown", "--help") == own)
        let group = try printed("mapping", "--help")
        #expect(group.contains("Usage: ferry mapping COMMAND\n"))
        #expect(try printed("help", "mapping") == group)
        #expect(try printed("mapping", "unknown", "-h") == group)
        #expect(try printed("mapping", "check", "-h") == printed("help", "mapping", "check"))
    }

    @Test func afterTwoDashesHelpIsAnOperand() throws {
        #expect(try run("migrate", "--", "--help") == .done)
        #expect(tool.runs.first?.operands == ["--help"])
    }

    @Test func theVersionIsTheTools() throws {
        #expect(try printed("--version") == "ferry 1.2.3\n")
        #expect(refusal("--version", "x") == UsageError(.surplusOperand, ""))
        #expect(refusal("migrate", "--version", "x") == UsageError(.unknownOption, ""))
    }

    @Test func completionsComeForEachShell() throws {
        for shell in Shell.allCases {
            #expect(try printed("completions", shell.rawValue) == tool.table.completions(for: shell))
        }
        #expect(refusal("completions") == .missing(""))
        #expect(
            refusal("completions", "bsh")?.description
                == "ferry completions: unexpected \"bsh\"; it takes bash, zsh, fish; did you mean bash?\n"
                + "See \"ferry completions --help\".")
    }

    @Test func whatIsNoCommandIsRefused() throws {
        #expect(
            refusal()?.sentence == "no command given; the commands are migrate, import, mapping, help, completions")
        #expect(
            refusal("migrat", "x")?.description
                == "ferry: there is no command \"migrat\"; did you mean migrate?\nSee \"ferry --help\".")
        #expect(
            refusal("mapping", "zzz")?.description
                == "ferry mapping: there is no command \"zzz\"; the commands are check, infer\n"
                + "See \"ferry mapping --help\".")
        #expect(refusal("mapping")?.sentence == "no command given; the commands are check, infer")
        #expect(refusal("help", "zzz") == UsageError(.unknownCommand, ""))
        #expect(refusal("help", "migrate", "zzz") == UsageError(.unknownCommand, ""))
        #expect(refusal("") == UsageError(.unknownCommand, ""))
        #expect(refusal("--rows", "5", "migrate") == UsageError(.unknownOption, ""))
        #expect(refusal("--versoin")?.suggestion == "--version")
        #expect(refusal("mapping", "--rows") == UsageError(.unknownOption, ""))
    }

    @Test func operandsAreCounted() throws {
        #expect(
            refusal("migrate")?.description == "ferry migrate: STORE is missing; add it\nSee \"ferry migrate --help\".")
        #expect(
            refusal("migrate", "a", "b")?.sentence
                == "unexpected \"b\"; the operands are STORE (quote a name that has spaces in it)")
        #expect(refusal("mapping", "infer", "--from", "1", "x") == UsageError(.surplusOperand, ""))
        #expect(refusal("import") == .missing(""))
        #expect(try run("import", "a", "b", "c", "-o", "x") == .done)
    }

    @Test func aUsageErrorOfTheWorkNamesTheCommand() throws {
        let error = #expect(throws: UsageError.self) { try run("import", "a") }
        #expect(error?.description == "ferry import: --output FILE is missing; add it\nSee \"ferry import --help\".")
    }

    @Test func errorsBetweenOptionsHaveTheirSentences() {
        #expect(
            UsageError.conflict("--output", with: "--in-place").sentence
                == "--output and --in-place exclude each other; remove one")
        #expect(
            UsageError.dependent("--backup", on: "--in-place").sentence
                == "--backup needs --in-place; add that, or remove --backup")
        #expect(
            UsageError.badValue("x", of: "--key", expected: "names of attributes").sentence
                == "--key takes names of attributes, not \"x\"")
    }

    @Test func theSampleTableHasNoProblems() {
        #expect(tool.table.problems == [])
    }

    private struct WrongOptions: OptionTable {
        var a = false
        var b: String?
        var operands: [String] = []
        static let flags: [Flag<Self>] = [
            .switch("help", \.a, "Clashes with the one that every command has."),
            .switch("twice", short: "t", \.a, "One."),
            .optionalValue("other", short: "t", \.b, placeholder: "", "without a full stop"),
            .switch("Upper", \.a, "Not lower case."),
        ]
    }

    @Test func problemsOfDeclarationsAreFound() {
        let wide = String(repeating: "x", count: 90)
        let table = CommandTable(
            tool: "t", version: "1", abstract: "tests",
            commands: [
                Command("Bad", "Ends with a stop.", discussion: wide) { (_: WrongOptions) in .done },
                Command("same", "One") { (_: NoOptions) in .done },
                Command("same", "Other") { (_: NoOptions) in .done },
            ])
        let problems = table.problems
        for part in [
            "the command same is declared twice", "--help is declared twice", "-t is declared twice",
            "help of --other is not a sentence", "--other has no placeholder", "--Upper is not a name",
            "the abstract is a line without a full stop", "a name has lower-case letters", "more than 80 characters",
        ] {
            #expect(problems.contains { $0.contains(part) }, "\(part)")
        }
    }

    @Test func everyStatusHasItsNumberAndItsMeaning() {
        #expect(CommandLineParsing.ExitStatus.allCases.map(\.rawValue) == [0, 1, 2, 3, 64])
        #expect(Set(CommandLineParsing.ExitStatus.allCases.map(\.meaning)).count == 5)
    }
}
