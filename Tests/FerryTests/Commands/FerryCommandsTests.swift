import CommandLineParsing
import Testing

@testable import FerryCommands

@Suite struct FerryCommandsTests {
    private let table = CommandTable.ferry

    @Test func theOptionTablesHaveNoProblems() {
        #expect(table.problems == [])
    }

    @Test func helpShowsEveryCommandAndEveryOption() throws {
        for (path, command) in table.everyCommand {
            let words = Array(path.dropFirst()) + ["--help"]
            guard case .print(let help) = try table.parse(words) else {
                Issue.record("\(words) prints no help")
                continue
            }
            for flag in command.flags {
                #expect(help.contains(flag.usage), "\(path): \(flag.usage)")
            }
            for member in command.subcommands {
                #expect(help.contains("  \(member.name) "), "\(path): \(member.name)")
            }
        }
    }

    @Test(arguments: Shell.allCases)
    func completionsOfferEveryCommandAndEveryOption(of shell: Shell) {
        let script = table.completions(for: shell)
        for (path, command) in table.everyCommand {
            #expect(script.contains(command.name), "\(path)")
            for flag in command.flags {
                // fish wants the name without its dashes.
                let spelling = shell == .fish ? "-l \(flag.long)" : flag.spelling
                #expect(script.contains(spelling), "\(path): \(flag.spelling)")
                for value in flag.allowedValues {
                    #expect(script.contains(value), "\(path): \(flag.spelling) \(value)")
                }
            }
        }
    }

    @Test func completionsArePrintedForTheShellThatIsNamed() throws {
        for shell in Shell.allCases {
            #expect(try table.printed("completions", shell.rawValue) == table.completions(for: shell))
        }
    }

    @Test func everyCommandThatReadsModelsTakesThemByTheSameOption() {
        let spellings = table.everyCommand.flatMap { path, command in
            command.flags.filter { $0.long.hasPrefix("model") }.map(\.usage)
        }
        #expect(Set(spellings) == ["--models PATH", "--model-types CLASS,..."])
    }
}
