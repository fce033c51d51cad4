import CommandLineParsing
import Foundation
import TestSupport
import Testing

@Suite struct CompletionsTests {
    private let table = SampleTool().table

    static func isInstalled(_ shell: String) -> Bool {
        ["/bin/", "/usr/bin/", "/usr/local/bin/"].contains { FileManager.default.isExecutableFile(atPath: $0 + shell) }
    }

    /// Runs a program, and gives what it wrote, with its status.
    private func run(_ words: [String]) throws -> (status: Int32, output: String) {
        let result = try ToolProcess.run("/usr/bin/env", words)
        return (result.status, result.output + result.errors)
    }

    /// What bash offers for the last of the words, as Readline would cut them.
    private func bashOffers(_ words: [String], in directory: TemporaryDirectory) throws -> Set<String> {
        let script = try directory.write(table.completions(for: .bash), to: "completions.bash")
        let quoted = words.map { "'" + $0 + "'" }.joined(separator: " ")
        let program = """
            cd \(directory.path)
            source \(script)
            COMP_WORDS=(\(quoted)) COMP_CWORD=\(words.count - 1)
            _ferry_complete
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let (status, output) = try run(["bash", "-c", program])
        #expect(status == 0, "\(output)")
        return Set(output.split(separator: "\n").map(String.init))
    }

    private func expectValid(_ shell: Shell, _ check: String) throws {
        let directory = try TemporaryDirectory()
        let script = try directory.write(table.completions(for: shell), to: "completions")
        let (status, output) = try run([shell.rawValue, check, script])
        #expect(status == 0)
        #expect(output == "")
    }

    @Test func bashAcceptsItsScript() throws {
        try expectValid(.bash, "-n")
    }

    @Test(.enabled(if: isInstalled("zsh"), "zsh is not installed"))
    func zshAcceptsItsScript() throws {
        try expectValid(.zsh, "-n")
    }

    @Test(.enabled(if: isInstalled("fish"), "fish is not installed"))
    func fishAcceptsItsScript() throws {
        try expectValid(.fish, "--no-execute")
    }

    @Test(arguments: Shell.allCases)
    func theScriptHasEveryCommandAndOption(shell: Shell) {
        let script = table.completions(for: shell)
        let commands = ["migrate", "import", "mapping", "check", "infer", "help", "completions"]
        for word in commands + ["dry-run", "fallback", "from"] {
            #expect(script.contains(word), "\(word)")
        }
    }

    @Test(arguments: [
        (["ferry", ""], ["migrate", "import", "mapping", "help", "completions"]),
        (["ferry", "mi"], ["migrate"]),
        (["ferry", "--v"], ["--version"]),
        (["ferry", "mapping", ""], ["check", "infer"]),
        (["ferry", "mapping", "infer", "--"], ["--from", "--help"]),
        (["ferry", "completions", ""], ["bash", "zsh", "fish"]),
        (["ferry", "migrate", "--style", ""], ["auto", "bar", "plain"]),
        (["ferry", "migrate", "--style", "=", "p"], ["plain"]),
        (["ferry", "migrate", "--style", "="], ["auto", "bar", "plain"]),
        (["ferry", "migrate", "--rows", ""], []),
        (["ferry", "migrate", "--output", "mapping", "--sty"], ["--style"]),
        (["ferry", "migrate", "--set", "a", "=", "b", "--fall"], ["--fallback"]),
        (["ferry", "migrate", "--output", "a f"], ["a file"]),
        (["ferry", "migrate", "a f"], ["a file"]),
        (["ferry", "mapping", "infer", ""], []),
    ])
    func bashOffersWhatFits(words: [String], expected: [String]) throws {
        let directory = try TemporaryDirectory()
        try directory.write("", to: "a file")
        #expect(try bashOffers(words, in: directory) == Set(expected))
    }

    @Test func optionsAreOfferedForTheirCommandOnly() throws {
        let directory = try TemporaryDirectory()
        let offers = try bashOffers(["ferry", "migrate", "-"], in: directory)
        #expect(offers.isSuperset(of: ["--dry-run", "-d", "--rows", "-n", "--models", "-m", "--help", "-h"]))
        #expect(!offers.contains("--from"))
        #expect(!offers.contains("--version"))
    }
}
