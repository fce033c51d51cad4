import Testing

@testable import CommandLineParsing

@Suite struct HelpTextTests {
    private func help(_ words: String...) throws -> [String] {
        guard case .print(let text) = try SampleTool().table.parse(words) else { return [] }
        return text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    @Test(arguments: [
        ["--help"], ["help", "migrate"], ["help", "mapping"], ["help", "mapping", "infer"], ["help", "help"],
    ])
    func noLineIsWiderThanATerminal(words: [String]) throws {
        guard case .print(let text) = try SampleTool().table.parse(words) else {
            Issue.record("no help")
            return
        }
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
        #expect(text.hasSuffix("\n"))
    }

    @Test func everyOptionIsThereWithValuesAndDefault() throws {
        let lines = try help("migrate", "--help")
        #expect(lines.contains("  -d, --dry-run         Print the plan and stop."))
        #expect(lines.contains("  -n, --rows N          Rows in a batch. Default: 1000."))
        #expect(lines.contains("      --bytes SIZE      Bytes in a batch. Default: 4MiB."))
        #expect(lines.contains("  -m, --models PATH     A model. May be repeated."))
        #expect(lines.contains("  -h, --help            Show this help."))
        let text = lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
        #expect(text.contains("How progress is shown. One of: auto, bar, plain. Default: auto."))
        for flag in SampleOptions.flags { #expect(text.contains(flag.description.usage)) }
    }

    @Test func longTextsAreWrappedAndExamplesAreNot() throws {
        let lines = try help("migrate", "--help")
        #expect(lines.contains("    ferry migrate Store.sqlite --models App.xcdatamodeld"))
        #expect(
            lines.contains("The first paragraph is long enough to be wrapped by the help, which it has to be"))
    }

    @Test func requiredOptionsAreInTheUsageLine() throws {
        #expect(try help("mapping", "infer", "-h").contains("Usage: ferry mapping infer --from VERSION"))
    }

    @Test func theToolListsCommandsAndStatuses() throws {
        let lines = try help("--help")
        #expect(lines.contains("  migrate      Migrate a store"))
        #expect(lines.contains("  completions  Print the completions for a shell"))
        #expect(lines.contains("  64  The command line is wrong."))
        #expect(lines.contains("      --version  Show the version, the commit, and the libraries."))
    }

    @Test func aWordThatIsTooLongStandsAlone() {
        let long = String(repeating: "x", count: 100)
        #expect(TextWrapping.lines("a \(long) b", indentation: 2) == ["  a", "  " + long, "  b"])
    }

    @Test func aTermThatIsTooLongHasItsMeaningBelow() {
        let term = String(repeating: "t", count: 40)
        #expect(
            TextWrapping.columns([(term, "Meaning."), ("a", "Short.")]) == [
                "  " + term, String(repeating: " ", count: 28) + "Meaning.",
                "  a" + String(repeating: " ", count: 25) + "Short.",
            ])
    }

    @Test func theReferenceHasEveryCommandAndOption() {
        let pages = SampleTool().table.referencePages(
            note: "<!-- Generated. -->", guides: ["mapping": ["[Mappings](../mappings.md)"]])
        let texts = Dictionary(uniqueKeysWithValues: pages.map { ($0.name, $0.text) })
        let index = texts["README.md"] ?? ""
        for command in ["migrate", "import", "mapping", "mapping check", "mapping infer", "help", "completions"] {
            let file = command.replacing(" ", with: "-") + ".md"
            #expect(index.contains("| [`ferry \(command)`](\(file)) | "))
            #expect(texts[file]?.hasPrefix("<!-- Generated. -->\n\n# ferry \(command)\n") == true)
        }
        #expect(texts["migrate.md"]?.contains("    ferry migrate STORE [options]\n") == true)
        #expect(texts["migrate.md"]?.contains("- `-n`, `--rows N`: Rows in a batch. Default: 1000.\n") == true)
        #expect(texts["mapping.md"]?.contains("| [`ferry mapping check`](mapping-check.md) | ") == true)
        #expect(texts["mapping-check.md"]?.contains("See also: [Mappings](../mappings.md), ") == true)
        #expect(index.contains("| 3 | Failed for a reason that may pass"))
        #expect(pages.allSatisfy { !$0.text.contains("\n\n\n") })
    }
}
