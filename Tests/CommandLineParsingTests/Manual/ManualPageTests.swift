import Testing

@testable import CommandLineParsing

@Suite struct ManualPageTests {
    private func page(_ name: String, of table: CommandTable = SampleTool().table) -> [String] {
        let pages = table.manualPages(note: "Generated.", date: "May 1, 2026")
        return (pages.first { $0.name == name }?.text ?? "").split(separator: "\n").map(String.init)
    }

    @Test func thereIsAPageForTheToolAndForEachCommand() {
        let names = SampleTool().table.manualPages(note: "", date: "").map(\.name)
        #expect(
            names == [
                "ferry.1", "ferry-migrate.1", "ferry-import.1", "ferry-mapping.1", "ferry-mapping-check.1",
                "ferry-mapping-infer.1", "ferry-help.1", "ferry-completions.1",
            ])
    }

    @Test func aPageHasItsSectionsInOrder() {
        let lines = page("ferry-migrate.1")
        #expect(
            lines.prefix(4) == [
                ".\\\" Generated.", ".Dd May 1, 2026", ".Dt FERRY-MIGRATE 1", ".Os ferry 1.2.3",
            ])
        #expect(
            lines.filter { $0.hasPrefix(".Sh") } == [
                ".Sh NAME", ".Sh SYNOPSIS", ".Sh DESCRIPTION", ".Sh OPTIONS", ".Sh EXIT STATUS", ".Sh SEE ALSO",
            ])
        #expect(lines.contains(".Nm ferry migrate"))
        #expect(lines.contains(".Ar STORE"))
    }

    @Test func anOptionHasBothItsNamesAndItsDefault() throws {
        let lines = page("ferry-migrate.1")
        let place = try #require(lines.firstIndex(of: ".It Fl n , Fl \\-rows Ar N"))
        #expect(lines[place + 1] == "Rows in a batch.")
        #expect(lines[place + 2] == "Default: 1000.")
    }

    @Test func examplesStayAsTheyAre() {
        let lines = page("ferry-migrate.1")
        #expect(lines.contains(".Bd -literal -offset indent"))
        #expect(lines.contains("ferry migrate Store.sqlite \\-\\-models App.xcdatamodeld"))
        #expect(lines.contains(".Ed"))
    }

    @Test func operandsAndWordsAreToldApart() {
        let rule = OperandRule("STORE [get [KEY] | set KEY VALUE...]", 1, upTo: 4)
        let table = CommandTable(
            tool: "t", version: "1", abstract: "tests",
            commands: [Command("metadata", "Change metadata", operands: rule) { (_: NoOptions) in .done }])
        #expect(
            page("t-metadata.1", of: table).contains(
                ".Ar STORE Oo Cm \\&get Oo Ar \\&KEY Oc | Cm \\&set Ar \\&KEY Ar VALUE ... Oc"))
    }

    @Test func relatedCommandsAndTheEnvironmentAreNamed() {
        let command = { (name: String) in Command(name, "Do it") { (_: NoOptions) in .done } }
        let table = CommandTable(
            tool: "t", version: "1", abstract: "tests", commands: [command("one"), command("two"), command("three")],
            environment: [EnvironmentVariable("TMPDIR", "The folder for temporary files.")],
            related: [["one", "two"], ["three", "one"]])
        #expect(table.problems == [])
        let lines = page("t-one.1", of: table)
        #expect(lines.suffix(3) == [".Xr t 1 ,", ".Xr t-three 1 ,", ".Xr t-two 1"])
        #expect(lines.contains(".It Ev TMPDIR"))
        #expect(table.help().contains("Environment:\n  TMPDIR  The folder for temporary files.\n"))
        let pages = table.referencePages(note: "")
        #expect(pages[0].text.contains("| `TMPDIR` | The folder for temporary files. |"))
        #expect(pages[1].text.contains("See also: [`t two`](two.md), [`t three`](three.md), "))
    }

    @Test func aRelatedCommandThatDoesNotExistIsAProblem() {
        let table = CommandTable(tool: "t", version: "1", abstract: "tests", commands: [], related: [["help", "two"]])
        #expect(table.problems == ["t: two is named among related commands and is not a command"])
    }

    @Test func textIsNeverARequest() {
        #expect(
            ManualText.prose(".ferry-lint.yaml is read. It \\ helps.") == [
                "\\&.ferry\\-lint.yaml is read.", "It \\e helps.",
            ])
        #expect(ManualText.prose("a lower-case name; see --help") == ["a lower-case name; see \\-\\-help"])
        #expect(ManualText.literal("'a' ~ `b`") == "\\(aqa\\(aq \\(ti \\(gab\\(ga")
        #expect(ManualText.argument("two words") == "\"two words\"")
    }
}
