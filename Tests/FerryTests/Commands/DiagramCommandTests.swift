import Foundation
import TestSupport
import Testing

/// `ferry diagram` as a user runs it.
@Suite struct DiagramCommandTests {
    private static let company = Samples.models("Company")

    @Test(arguments: [("svg", "<svg "), ("mermaid", "classDiagram"), ("dot", "digraph ")])
    func eachFormatIsPrintedAndWritten(format: String, sign: String) throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("diagram")
        let printed = try ToolProcess.ferry(["diagram", Self.company, "--format", format])
        #expect(printed.status == 0)
        #expect(printed.output.contains(sign))
        let written = try ToolProcess.ferry(["diagram", Self.company, "--format", format, "--output", file])
        #expect(written.status == 0 && written.output.isEmpty, "\(written.summary)")
        #expect(try String(contentsOfFile: file, encoding: .utf8) == printed.output)
    }

    @Test func aChangeShowsItsVersions() throws {
        let run = try ToolProcess.ferry(["diagram", Self.company, "--from", "Company", "--to", "Company 2"])
        #expect(run.status == 0, "\(run.summary)")
        #expect(run.output.contains("<title id=\"title\">Company → Company 2</title>"))
        #expect(run.output.contains("class=\"entity added\""))
        #expect(!run.output.contains(">unchanged</text>"))
        let all = try ToolProcess.ferry(["diagram", Self.company, "--from", "Company", "--to", "Company 2", "--all"])
        #expect(all.output.count > run.output.count)
    }

    @Test(arguments: [
        (["missing"], "there is no such file or folder"),
        ([company, "--version", "Nine"], "there is no model version"),
        ([company, "--output", "missing/d.svg"], "cannot write missing/d.svg"),
        ([company, "--from", "Nine"], "there is no model version"),
    ])
    func whatCannotBeDrawnEndsWithStatus2(words: [String], message: String) throws {
        let directory = try TemporaryDirectory()
        let run = try ToolProcess.ferry(["diagram"] + words, in: directory.path)
        #expect(run.status == 2)
        #expect(run.output.isEmpty)
        #expect(run.errors.contains(message), "\(run.errors)")
    }
}
